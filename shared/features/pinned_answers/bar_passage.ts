import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { BarredPassage, passageColumns, passageId } from "./fields.ts";

/** Bars a passage from new answers. 404 for what cannot be a passage. */
export const operation = defineEndpoint({
  name: "barPassage",
  method: "PUT",
  path: "/coaches/:coachId/barred-passages/:passageId",
  scope: "expert",
  failure: "Failed to bar the passage",
  isRepeatable: true,
  errors: () => [...ofRoles(), errors.passageNotFound()],
  input: z.object({ coachId, passageId }),
  output: BarredPassage,
  verb: ({ database, userId }, passage) =>
    database.callForBytes("set_passage_barred", { ...passageColumns({ ...passage, userId }), is_barred: true }),
});
