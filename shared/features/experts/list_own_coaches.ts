import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
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
  if (userId !== null && asked !== "me" && asked !== userId) throw errors.userMismatch();
  // No expert has an ID that Postgres cannot store.
  const owner = userId ?? (isStorableText(asked) ? asked : "");
  return await store.listOwnCoaches(database, owner, page, services.picturesUrl);
}
