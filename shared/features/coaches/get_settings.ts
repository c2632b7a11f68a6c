import * as z from "zod/mini";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, CoachSettings, ofRoles } from "./fields.ts";

/** The settings of a coach, which hold at once. For owners and editors. */
export const operation = defineEndpoint({
  name: "getSettings",
  method: "GET",
  path: "/coaches/:coachId/settings",
  scope: "expert",
  failure: "Failed to fetch the settings",
  errors: ofRoles,
  input: z.object({ coachId }),
  output: CoachSettings,
  verb: ({ database, userId }, { coachId }) =>
    database.callForBytes("save_settings", coachColumns({ coachId, userId })),
});
