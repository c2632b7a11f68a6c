import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import { identifyRequest } from "../../core/wire/idempotency_key.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import type { ExpertMessage } from "./replies.ts";
import type { SayAsExpertInput } from "./schemas.ts";

/**
 * Stores a message of the expert, which also takes the thread over. It answers the question that it
 * names, otherwise the oldest one that waits for the expert. If there is none, it stands alone.
 *
 * @throws 403 for anyone but the expert, 404 if the caller's account has no such thread or question, 422 for a key that was used
 * with another message.
 */
export async function sayAsExpert(
  { database, userId, requestId }: RequestContext,
  { threadId, content, in_reply_to: inReplyTo = null, idempotency_key }: SayAsExpertInput,
): Promise<ExpertMessage> {
  if (!uuidPattern.test(threadId)) throw errors.threadNotFound();
  // There is always a key, because an interrupted call is repeated, and a message must not be stored twice.
  const identity = identifyRequest(idempotency_key ?? crypto.randomUUID(), {
    threadId,
    content,
    ...(inReplyTo === null ? {} : { inReplyTo }),
  });
  const reply = await store.sayAsExpert(database, { threadId, userId, content, inReplyTo, requestId, ...identity });
  return reply.message;
}
