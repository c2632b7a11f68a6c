import type * as z from "zod/mini";
import type { RequestContext } from "../../core/context.ts";
import { requireSelf } from "../../core/auth/named_user.ts";
import type { ErasedUser } from "./replies.ts";
import type { EraseUserInput } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * Erases the signed-in user: all threads with all coaches of the account, and everything that belongs to them. Runs of
 * answers that are being written end as they do when their thread is deleted. The user of Supabase Auth remains.
 *
 * @throws 401 if nobody is signed in, 403 if the caller is signed in as another user.
 */
export async function eraseUser(
  { database, userId: signedIn }: RequestContext,
  { userId: asked }: EraseUserInput,
): Promise<z.infer<typeof ErasedUser>> {
  const userId = requireSelf(asked, signedIn);
  await store.eraseUser(database, userId);
  return { message: "User deleted successfully", userId };
}
