import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { ifVersion, numberOfVersion, PersonaVersion, version } from "./fields.ts";

/** Publishes what a persona was in an earlier version. The draft stays. For owners. */
export const operation = defineEndpoint({
  name: "restoreVersion",
  method: "POST",
  path: "/coaches/:coachId/versions/:version/restore",
  body: "application/json",
  isBodyOptional: true,
  scope: "expert",
  failure: "Failed to restore the version",
  errors: () => [...ofRoles(), errors.versionNotFound(), errors.versionChanged(), errors.nothingToPublish()],
  input: z.object({ coachId, version, if_version: ifVersion }),
  output: PersonaVersion,
  verb: ({ database, userId, services: { picturesUrl } }, { coachId, version, if_version }) =>
    database.callForBytes("restore_version", {
      ...coachColumns({ coachId, userId }),
      version: numberOfVersion(version),
      pictures_url: picturesUrl,
      if_version: if_version ?? null,
    }),
});
