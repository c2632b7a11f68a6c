import type { RequestContext } from "../context.ts";
import { errors } from "../errors.ts";
import { uuidPattern } from "../wire/uuid.ts";
import { askedBy, requireAnswer } from "./read_answer.ts";
import type { StoredAnswer } from "../answers/schemas.ts";
import * as store from "../answers/store.ts";

/**
 * Ends an answer and waits until its writer, in whichever process, has stored what was said so far. A writer that does
 * not react in time is not waited for: what is stored stays. One that has ended is returned as it is.
 *
 * @throws 404 when the caller has no such answer.
 */
export async function stopAnswer({ services, caller }: RequestContext, messageId: string): Promise<StoredAnswer> {
  const asked = askedBy(caller, { messageId, after: 0 });
  async function stop(isForced: boolean): Promise<StoredAnswer> {
    return requireAnswer(await store.stopAnswer(services.database, { ...asked, isForced }));
  }

  if (!uuidPattern.test(messageId)) throw errors.messageNotFound();
  let answer = await stop(false);
  const end = performance.now() + services.timeouts.stop;
  while (answer.status === "streaming" && !answer.isAbandoned && performance.now() < end) {
    answer = requireAnswer(await services.answers.readSoon(asked, end - performance.now()));
  }
  return answer.status === "streaming" ? await stop(true) : answer;
}
