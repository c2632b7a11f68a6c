import { errors } from "../../base/errors.ts";
import { isStorableText } from "../../base/text/storable_text.ts";
import { requireNamedUser } from "../../core/auth/named_user.ts";
import type { RequestContext } from "../../core/context.ts";
import type { GetBudgetInput } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * Returns the budgets that limit a user, as the JSON of the reply. A signed-in user may say `me`.
 *
 * @throws 403 if the caller is signed in as another user, 404 if the caller may not talk to such a coach.
 */
export async function getBudget(
  ctx: RequestContext,
  { userId: asked, coachId }: GetBudgetInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const userId = requireNamedUser(asked, ctx.userId);
  if (!isStorableText(coachId ?? "")) throw errors.coachNotFound();
  return await store.readBudgets(ctx.database, {
    // No user has an ID that Postgres cannot store: nobody has used anything by it.
    userId: isStorableText(userId) ? userId : "",
    isSignedIn: ctx.userId !== null,
    coachId: coachId || null,
  });
}
