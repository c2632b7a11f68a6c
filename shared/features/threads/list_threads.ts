import type { RequestContext } from "../../core/context.ts";
import { requireNamedUser } from "../../core/auth/named_user.ts";
import { isStorableText } from "../../base/text/storable_text.ts";
import { isSearch, type ListThreadsInput } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * The threads of a user, newest first, with a search the best match first, as the JSON of the reply. A signed-in user may
 * say `me`.
 *
 * @throws 403 if the caller is signed in as another user.
 */
export async function listThreads(
  ctx: RequestContext,
  { userId: asked, coachId, search, archived, standalone, include = [], ...page }: ListThreadsInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const userId = requireNamedUser(asked, ctx.userId);
  // No user has an ID that Postgres cannot store. The empty ID has no threads either, and its reply has the same form.
  const isAskable = isStorableText(userId) && isStorableText(coachId ?? "");
  const filter = {
    userId: isAskable ? userId : "",
    coachId: isAskable && coachId ? coachId : null,
    isArchived: archived === undefined ? null : archived === "true",
    isStandalone: standalone === "true",
    hasState: include.includes("state"),
  };
  const company = include.includes("coaches") ? "all" : include.includes("coach") ? "one" : null;
  return isSearch(search)
    ? await store.searchThreads(ctx.database, { ...filter, search }, page)
    : await store.listThreads(ctx.database, { ...filter, company, picturesUrl: ctx.services.picturesUrl }, page);
}
