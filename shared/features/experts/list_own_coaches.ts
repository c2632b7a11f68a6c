import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireNamedUser } from "../../core/auth/named_user.ts";
import { isStorableText } from "../../base/text/storable_text.ts";
import type { ListOwnCoachesInput } from "./schemas.ts";

/**
 * The coaches whose expert a user is, inactive ones too, as the JSON of the reply. A signed-in user may say `me`.
 *
 * @throws 403 if the caller is signed in as another user.
 */
export async function listOwnCoaches(
  { database, userId, services }: RequestContext,
  { userId: asked, ...page }: ListOwnCoachesInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const expertId = requireNamedUser(asked, userId);
  // No expert has an ID that Postgres cannot store.
  return await store.listOwnCoaches(database, isStorableText(expertId) ? expertId : "", page, services.picturesUrl);
}
