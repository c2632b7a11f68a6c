import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { coachColumns, uuidOrNull } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, invitationId, ofRoles } from "./fields.ts";

export const DeletedInvitation = z.object({
  message: z.literal("Invitation deleted successfully"),
  invitationId: z.string(),
});

/** Takes an invitation back, so that nobody can accept it. */
export const operation = defineEndpoint({
  name: "deleteInvitation",
  method: "DELETE",
  path: "/coaches/:coachId/invitations/:invitationId",
  scope: "expert",
  failure: "Failed to delete the invitation",
  errors: () => [...ofRoles(), errors.invitationNotFound()],
  input: z.object({ coachId, invitationId }),
  output: DeletedInvitation,
  async verb({ database, userId }, { coachId, invitationId }): Promise<z.infer<typeof DeletedInvitation>> {
    await database.callForBytes("delete_invitation", {
      ...coachColumns({ coachId, userId }),
      invitation_id: uuidOrNull(invitationId),
    });
    return { message: "Invitation deleted successfully", invitationId };
  },
});
