import * as z from "zod/mini";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";

export const DeletedDraft = z.object({ message: z.literal("Draft deleted successfully"), coachId: z.string() });

/** Deletes the draft with its picture, if there is one. For owners and editors. */
export const operation = defineEndpoint({
  name: "deleteDraft",
  method: "DELETE",
  path: "/coaches/:coachId/draft",
  scope: "expert",
  failure: "Failed to delete the draft",
  isRepeatable: true,
  errors: ofRoles,
  input: z.object({ coachId }),
  output: DeletedDraft,
  async verb({ database, userId, services: { picturesUrl } }, { coachId }): Promise<z.infer<typeof DeletedDraft>> {
    const columns = { ...coachColumns({ coachId, userId }), fields: null, pictures_url: picturesUrl };
    await database.callForBytes("save_draft", columns);
    return { message: "Draft deleted successfully", coachId };
  },
});
