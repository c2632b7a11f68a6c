import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { ifRevision, PersonaVersion } from "./fields.ts";

/** Publishes the draft. A persona that was never active becomes active. For owners. */
export const operation = defineEndpoint({
  name: "publish",
  method: "POST",
  path: "/coaches/:coachId/publish",
  body: "application/json",
  scope: "expert",
  failure: "Failed to publish",
  errors: () => [...ofRoles(), errors.versionChanged(), errors.draftChanged(), errors.nothingToPublish()],
  input: z.object({
    coachId,
    if_version: z.int("if_version is required: the version that was published when you looked").check(
      z.gte(0, "if_version must be a whole number, 0 or higher"),
      z.lte(2_147_483_647, "if_version must be a whole number, 0 or higher"),
      z.describe("Refuses with 409 `version_changed` if another version is published now"),
    ),
    if_revision: ifRevision,
  }),
  output: PersonaVersion,
  verb: ({ database, userId, services: { picturesUrl } }, { coachId, if_version, if_revision }) =>
    database.callForBytes("publish_draft", {
      ...coachColumns({ coachId, userId }),
      pictures_url: picturesUrl,
      if_version,
      if_revision: if_revision ?? null,
    }),
});
