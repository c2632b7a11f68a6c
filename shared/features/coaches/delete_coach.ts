import * as z from "zod/mini";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { coachId, ofRoles } from "./fields.ts";

export const DeletedCoach = z.object({ message: z.literal("Coach deleted successfully"), coachId: z.string() });

/** Deletes a coach for everybody. What is its own is erased soon after. For owners, who confirm its name. */
export const operation = defineEndpoint({
  name: "deleteCoach",
  method: "DELETE",
  path: "/coaches/:coachId",
  body: "application/json",
  isBodyOptional: true,
  // A body is not sent with a DELETE by every client.
  readFields(c) {
    const confirm = c.req.query("confirm");
    return confirm === undefined ? {} : { confirm };
  },
  scope: "expert",
  failure: "Failed to delete the coach",
  errors: ofRoles,
  input: z.object({
    coachId,
    confirm: z.string("confirm is required: the published name of the coach").check(
      z.describe("The published name of the coach"),
    ),
  }),
  output: DeletedCoach,
  async verb({ database, userId }, { coachId, confirm }): Promise<z.infer<typeof DeletedCoach>> {
    const columns = { ...coachColumns({ coachId, userId }), confirm };
    const { id } = await database.call("delete_coach", columns, replyObject({ id: z.string() }));
    return { message: "Coach deleted successfully", coachId: id };
  },
});
