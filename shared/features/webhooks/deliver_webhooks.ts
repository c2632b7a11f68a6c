import { pooledMap } from "../../base/std/async.ts";
import type { Database } from "../../infra/db/database.ts";
import type { Log } from "../../infra/log.ts";
import type { PostMessage } from "./post_message.ts";
import * as store from "./store.ts";

/** The number of messages sent at the same time, for all accounts together. */
const concurrency = 20;

/**
 * Sends due messages to the webhooks of the accounts, within its time limit. Failed messages are due again later.
 *
 * @returns whether there may be more
 */
export async function deliverWebhooks(
  { database, postMessage, timeouts }: {
    database: Database;
    postMessage: PostMessage;
    timeouts: { webhook: number };
  },
  { mayGoOn, signal, log }: { mayGoOn: () => boolean; signal: AbortSignal; log: Log },
): Promise<boolean> {
  do {
    const taken = await store.takeWebhookMessages(database);
    if (taken.length === 0) return false;
    const outcomes = pooledMap(concurrency, taken, async (message: store.TakenMessage) => {
      const outcome = await postMessage(message, AbortSignal.any([signal, AbortSignal.timeout(timeouts.webhook)]));
      // One at a time: a slow receiver must not delay storing the result of another.
      const givenUp = await store.finishWebhookMessages(database, [{ ...message, ...outcome }]);
      for (const { id, accountId, kind, error } of givenUp) {
        log("warn", "webhook_given_up", { webhook_id: id, account_id: accountId, kind, reason: error });
      }
      return outcome.error === null;
    });
    let delivered = 0;
    for await (const isDelivered of outcomes) if (isDelivered) delivered++;
    log("info", "webhooks_sent", { delivered, failed: taken.length - delivered });
  } while (mayGoOn());
  return true;
}
