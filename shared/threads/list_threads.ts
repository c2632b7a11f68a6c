import type { RequestContext } from "../context.ts";
import { errors } from "../errors.ts";
import { isStorableText } from "../text/storable_text.ts";
import { readPage } from "../wire/paging.ts";
import type { ListThreadsInput } from "./schemas.ts";

/**
 * The threads of a user, newest first, as the JSON of the reply.
 *
 * @throws 403 when the caller is signed in as another user.
 */
export async function listThreads(
  { services, caller }: RequestContext,
  input: ListThreadsInput,
): Promise<Uint8Array<ArrayBuffer>> {
  if (caller.userId !== null && caller.userId !== input.userId) throw errors.userMismatch();
  // No user has an id that Postgres cannot hold. The empty one has no threads either, and gives a reply of the same form.
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
