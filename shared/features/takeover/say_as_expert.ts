import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import { identifyRequest } from "../../core/wire/idempotency_key.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import type { ExpertMessage } from "./replies.ts";
import type { SayAsExpertInput } from "./schemas.ts";

/**
 * Stores a message of the expert, who takes the thread over with it. It answers the oldest question that waits; where none
 * does, it stands alone.
 *
 * @throws 403 for everybody but the expert, 404 where the caller's account has no such thread, 422 for a key that came
 * with another message.
 */
export async function sayAsExpert(
  { database, userId, requestId }: RequestContext,
  { threadId, content, idempotency_key }: SayAsExpertInput,
): Promise<ExpertMessage> {
  if (!uuidPattern.test(threadId)) throw errors.threadNotFound();
  // With a key in any case: a call that breaks off is made again, and nothing may be said twice.
  const identity = identifyRequest(idempotency_key ?? crypto.randomUUID(), { threadId, content });
  const reply = await store.sayAsExpert(database, { threadId, userId, content, requestId, ...identity });
  return reply.message;
}
