import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { passageColumns, passageId } from "./fields.ts";

export const UnbarredPassage = z.object({
  message: z.literal("The passage may be used again"),
  passageId: z.string(),
});

/** Lets answers draw on a passage again. 404 for one that is not barred. */
export const operation = defineEndpoint({
  name: "unbarPassage",
  method: "DELETE",
  path: "/coaches/:coachId/barred-passages/:passageId",
  scope: "expert",
  failure: "Failed to unbar the passage",
  errors: () => [...ofRoles(), errors.passageNotFound()],
  input: z.object({ coachId, passageId }),
  output: UnbarredPassage,
  async verb({ database, userId }, passage): Promise<z.infer<typeof UnbarredPassage>> {
    const args = { ...passageColumns({ ...passage, userId }), is_barred: false };
    await database.callForBytes("set_passage_barred", args);
    return { message: "The passage may be used again", passageId: passage.passageId };
  },
});
