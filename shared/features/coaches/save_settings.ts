import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { inputFields } from "./coach_fields.ts";
import { coachId, CoachSettings, ofRoles } from "./fields.ts";

/** Changes those settings that are passed. For owners: 409 for a slug that is taken or was changed too often. */
export const operation = defineEndpoint({
  name: "saveSettings",
  method: "PATCH",
  path: "/coaches/:coachId/settings",
  body: "application/json",
  scope: "expert",
  failure: "Failed to save the settings",
  // The same settings twice are the same settings.
  isRepeatable: true,
  errors: () => [...ofRoles(), errors.notPublished(), errors.slugTaken(), errors.tooManySlugs()],
  input: z.object({ coachId, ...inputFields("settings") }),
  output: CoachSettings,
  verb: ({ database, userId }, { coachId, ...changes }) =>
    database.callForBytes("save_settings", { ...coachColumns({ coachId, userId }), changes }),
});
