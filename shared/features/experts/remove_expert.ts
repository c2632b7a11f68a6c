import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { coachColumns, uuidOrNull } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, nameUser, ofRoles, userId } from "./fields.ts";

export const RemovedExpert = z.object({
  message: z.literal("Expert removed successfully"),
  userId: z.string().check(z.describe("The user who is no longer an expert of the coach")),
});

/** Ends that a user is an expert of a coach. Owners remove others; everyone may leave. 409 if no owner would be left. */
export const operation = defineEndpoint({
  name: "removeExpert",
  method: "DELETE",
  path: "/coaches/:coachId/experts/:userId",
  scope: "expert",
  failure: "Failed to remove the expert",
  errors: () => [...ofRoles(), errors.expertNotFound(), errors.lastOwner()],
  input: z.object({ coachId, userId }),
  output: RemovedExpert,
  async verb({ database, userId }, { coachId, userId: asked }): Promise<z.infer<typeof RemovedExpert>> {
    const expertId = nameUser(asked, userId);
    await database.callForBytes("set_expert_role", {
      ...coachColumns({ coachId, userId }),
      expert_id: uuidOrNull(expertId),
    });
    return { message: "Expert removed successfully", userId: expertId };
  },
});
