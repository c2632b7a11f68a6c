import * as z from "zod/mini";
import type { Database } from "../../infra/db/database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import type { Outcome } from "./post_message.ts";

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
/** A message that this worker has claimed. */
export type TakenMessage = z.infer<typeof TakenMessage>;

const GivenUp = z.array(
  replyObject({ id: z.string(), account_id: z.string(), kind: z.string(), error: z.string() }),
);

/** Claims messages that are due. */
export async function takeWebhookMessages(database: Database): Promise<TakenMessage[]> {
  return await database.call("take_webhook_messages", {}, z.array(TakenMessage));
}

/** Stores the results of claimed messages, and returns those that are dropped. */
export async function finishWebhookMessages(
  database: Database,
  outcomes: (Pick<TakenMessage, "id" | "claim"> & Outcome)[],
): Promise<z.infer<typeof GivenUp>> {
  return await database.call("finish_webhook_messages", {
    outcomes: outcomes.map(({ id, claim, error, isGone }) => ({ id, claim, error, is_gone: isGone })),
  }, GivenUp);
}
