import * as z from "zod/mini";
import { pooledMap } from "../../libs/base/std/async.ts";
import type { Database } from "../../infra/db/database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import type { Log } from "../../libs/base/log.ts";
import type { PostMessage } from "./post_message.ts";

/** A message that this worker has claimed. */
const TakenMessage = replyObject({
  id: z.string(),
  claim: z.string(),
  account_id: z.string(),
  url: z.string(),
  secret: z.string(),
  kind: z.string(),
  data: z.record(z.string(), z.unknown()),
  created_at: z.string(),
});
type TakenMessage = z.infer<typeof TakenMessage>;

const GivenUp = z.array(
  replyObject({ id: z.string(), account_id: z.string(), kind: z.string(), error: z.string() }),
);

/** The number of messages sent at the same time, for all accounts together. */
const concurrency = 20;

/** Sends due messages to webhooks, within its limit; failed ones are due again later. Returns whether there is more. */
export async function deliverWebhooks(
  { database, postMessage, timeouts }: {
    database: Database;
    postMessage: PostMessage;
    timeouts: { webhook: number };
  },
  { mayGoOn, signal, log }: { mayGoOn: () => boolean; signal: AbortSignal; log: Log },
): Promise<boolean> {
  do {
    const taken = await database.call("take_webhook_messages", {}, z.array(TakenMessage));
    if (taken.length === 0) return false;
    const outcomes = pooledMap(concurrency, taken, async (message: TakenMessage) => {
      const outcome = await postMessage(message, AbortSignal.any([signal, AbortSignal.timeout(timeouts.webhook)]));
      // One at a time: a slow receiver must not delay storing the result of another.
      const result = { id: message.id, claim: message.claim, error: outcome.error, is_gone: outcome.isGone };
      const givenUp = await database.call("finish_webhook_messages", { outcomes: [result] }, GivenUp);
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
