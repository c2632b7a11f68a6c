import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { sha256Hex } from "../../core/auth/sha256_hex.ts";
import type { PreviewInvitationInput } from "./schemas.ts";

/**
 * What an invitation is for, as the JSON of the reply. It can still be accepted.
 *
 * @throws 404 for a token that is unknown, used or expired, and for one of another account.
 */
export async function previewInvitation(
  { database, userId }: RequestContext,
  { token }: PreviewInvitationInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.previewInvitation(database, { userId, digest: sha256Hex(token) });
}
