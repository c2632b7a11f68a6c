import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { sha256Hex } from "../../core/auth/sha256_hex.ts";
import { errors } from "../../base/errors.ts";
import type { AcceptInvitationInput } from "./schemas.ts";

/**
 * Makes the signed-in user an expert, and returns the JSON of the reply. The token cannot be used again.
 *
 * @throws 401 if nobody is signed in, 403 for a visitor, 400 if a coach has to be made and has no name or title, 404 for a
 * token that is unknown, used or expired, and for one of another account.
 */
export async function acceptInvitation(
  { database, userId }: RequestContext,
  { token, name, title }: AcceptInvitationInput,
): Promise<Uint8Array<ArrayBuffer>> {
  if (userId === null) throw errors.signInFirst();
  return await store.acceptInvitation(database, {
    userId,
    digest: sha256Hex(token),
    name: name ?? null,
    title: title ?? null,
  });
}
