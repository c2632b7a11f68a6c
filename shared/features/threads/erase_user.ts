import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { requireSelf } from "../../core/wire/ids.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";

const ErasedUser = z.object({ message: z.literal("User deleted successfully"), userId: z.string() });

/**
 * Erases the signed-in user: all threads with all coaches of the account, and everything that belongs to them. Runs of
 * answers that are being written end as they do when their thread is deleted. The user of Supabase Auth remains.
 */
export const operation = defineEndpoint({
  name: "eraseUser",
  method: "DELETE",
  path: "/users/:userId",
  pathWithoutParameter: "/users",
  scope: "threads:write",
  failure: "Failed to delete the user",
  // The second time there is nothing left to delete.
  isRepeatable: true,
  errors: () => [errors.userMismatch(), errors.lastOwner()],
  input: z.object({
    userId: requiredId("userId", "The signed-in user: the ID in the access token, or `me`"),
  }),
  output: ErasedUser,
  async verb({ database, userId: signedIn }, { userId: asked }): Promise<z.infer<typeof ErasedUser>> {
    const userId = requireSelf(asked, signedIn);
    await callRepeatable(database, "erase_self", { user_id: userId }, z.object({ threads: z.int() }));
    return { message: "User deleted successfully", userId };
  },
});
