import type { RequestContext } from "../context.ts";
import { errors } from "../errors.ts";
import { type Page, readPage } from "../wire/paging.ts";
import { isStorableText } from "../text/storable_text.ts";

/** Whose threads to list; without `coachId`, or with an empty one, those with every coach. */
export type ListThreadsInput = Page & { userId: string; coachId?: string };

/**
 * The threads of a user, newest first, as the JSON of the reply.
 *
 * @throws 403 when the caller is signed in as somebody else.
 */
export async function listThreads(
  { services, caller }: RequestContext,
  input: ListThreadsInput,
): Promise<Uint8Array<ArrayBuffer>> {
  if (caller.userId !== null && caller.userId !== input.userId) throw errors.userMismatch();
  // Ids that Postgres cannot hold belong to nobody; it is asked for nobody's, so that the reply has the same form.
  const isAskable = isStorableText(input.userId) && isStorableText(input.coachId ?? "");
  const { pageSize, afterAt, afterKey } = readPage(input);
  return await services.database.callForBytes("list_threads", {
    account_id: caller.accountId,
    user_id: isAskable ? input.userId : "",
    coach_id: isAskable && input.coachId ? input.coachId : null,
    page_size: pageSize,
    after_at: afterAt,
    after_id: afterKey,
  });
}
