import type { Context } from "../context.ts";
import { errors } from "../errors.ts";
import { uuidPattern } from "../uuid.ts";
import { StoredAnswer } from "./schemas.ts";

/**
 * Ends an answer and waits until its writer, in whichever process, has stored what was said so far. A writer that does
 * not react in time is not waited for: what is stored stays. One that has ended is returned as it is.
 *
 * @throws 404 when the caller has no such answer.
 */
export async function stopTurn({ services, caller }: Context, messageId: string): Promise<StoredAnswer> {
  const asked = { account_id: caller.accountId, user_id: caller.userId, message_id: messageId };
  function require(answer: StoredAnswer | null): StoredAnswer {
    if (answer === null) throw errors.messageNotFound();
    return answer;
  }
  async function stop(isForced: boolean): Promise<StoredAnswer> {
    const reply = await services.database.call("stop_turn", { ...asked, is_forced: isForced });
    return require(reply === null ? null : StoredAnswer.parse(reply));
  }

  if (!uuidPattern.test(messageId)) throw errors.messageNotFound();
  let answer = await stop(false);
  const end = performance.now() + services.timeouts.stop;
  while (answer.status === "streaming" && !answer.is_orphan && performance.now() < end) {
    answer = require(await services.answers.next({ ...asked, after: 0 }));
  }
  return answer.status === "streaming" ? await stop(true) : answer;
}
