import * as store from "./store.ts";
import { recoverAnswers } from "../../core/answers/recover_answers.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import type { ListMessagesInput } from "./schemas.ts";

/**
 * The messages of a thread as the JSON of the reply: for its user, and for the expert behind its coach. Abandoned
 * answers are first completed from the model's server.
 *
 * @throws 404 if the caller has no such thread; 403 if anyone but the expert requests `basis`.
 */
export async function listMessages(
  { services, database, userId, log }: RequestContext,
  { threadId, order, include, ...page }: ListMessagesInput,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!uuidPattern.test(threadId)) throw errors.threadNotFound();
  const list = async (skipAbandoned: boolean) => {
    const reply = await store.listMessages(database, { threadId, userId }, {
      ...page,
      isNewestFirst: order === "desc",
      include: include ?? [],
      skipAbandoned,
      picturesUrl: services.picturesUrl,
    });
    if (reply === null) throw errors.threadNotFound();
    return reply;
  };

  let reply = await list(false);
  const abandoned = await store.readAbandoned(reply);
  if (abandoned !== null) {
    await recoverAnswers(services, abandoned, log);
    reply = await list(true);
  }
  return reply;
}
