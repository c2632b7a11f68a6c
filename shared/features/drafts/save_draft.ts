import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { inputFields } from "../coaches/coach_fields.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { ifRevision, ifVersion, PersonaDraft } from "./fields.ts";

/** Replaces the draft, but for its picture. Fields that are left out are as published. For owners and editors. */
export const operation = defineEndpoint({
  name: "saveDraft",
  method: "PUT",
  path: "/coaches/:coachId/draft",
  body: "application/json",
  maxBytes: 512 * 1024,
  scope: "expert",
  failure: "Failed to save the draft",
  errors: () => [...ofRoles(), errors.draftChanged(), errors.versionChanged()],
  input: z.object({ coachId, ...inputFields("draft"), if_revision: ifRevision, if_version: ifVersion }),
  output: PersonaDraft,
  verb: ({ database, userId, services: { picturesUrl } }, { coachId, if_revision, if_version, ...fields }) =>
    database.callForBytes("save_draft", {
      ...coachColumns({ coachId, userId }),
      fields,
      pictures_url: picturesUrl,
      if_version: if_version ?? null,
      if_revision: if_revision ?? null,
    }),
});
