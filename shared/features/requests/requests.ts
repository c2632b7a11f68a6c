import { errors } from "../../base/errors.ts";
import type { RequestContext } from "../../core/context.ts";
import { identifyRequest } from "../../core/wire/idempotency_key.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import { shortenTitle } from "../chat/turn/shorten_title.ts";
import type { ExpertRequest } from "./replies.ts";
import type { AskExpertInput, ListRequestsInput, WithdrawRequestInput } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * Asks the expert in person, about a question of the thread or with a new one. No model is called. Asking again about the
 * same question changes nothing but the address.
 *
 * @throws 404 if the caller has no such thread or message, 409 for an address if the service sends no mails, 422 for a key
 * that was used with another request, 429 after too many confirmation mails.
 */
export async function askExpert(
  { database, userId, requestId, services, log }: RequestContext,
  { threadId, idempotencyKey, idempotency_key, ...asked }: AskExpertInput,
): Promise<store.AskedExpert> {
  if (!uuidPattern.test(threadId)) throw errors.threadNotFound();
  const { message_id = null, question = null, coachId: coach_id = null, email = null, language = null } = asked;
  if (email !== null && (services.mail === null || services.pageUrl === null)) {
    await database.admit();
    throw errors.mailNotAvailable();
  }
  // There is always a key for a new question, because an interrupted call is repeated.
  const key = idempotencyKey ?? idempotency_key ?? (question === null ? undefined : crypto.randomUUID());
  const reply = await store.askExpert(database, userId, {
    thread_id: threadId,
    message_id,
    question,
    coach_id,
    title: question === null ? null : shortenTitle(question),
    email,
    language,
    request_id: requestId,
    ...identifyRequest(key, { threadId, message_id, question, email }),
  });
  if (reply.request.email === "unconfirmed" && email !== null) services.waitUntil(services.wakeMailer(log));
  return reply;
}

/**
 * The requests of a thread as the JSON of the reply: for its user, and for the experts of its coach, who have seen them
 * then.
 *
 * @throws 404 if the caller has no such thread.
 */
export async function listRequests(
  { database, userId }: RequestContext,
  { threadId }: ListRequestsInput,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!uuidPattern.test(threadId)) throw errors.threadNotFound();
  return await store.listRequests(database, { threadId, userId });
}

/** Takes a request back. Repeatable. @throws 404 if the caller has no such thread, or the thread no such request. */
export async function withdrawRequest(
  { database, userId }: RequestContext,
  { threadId, requestId }: WithdrawRequestInput,
): Promise<ExpertRequest> {
  if (!uuidPattern.test(threadId)) throw errors.threadNotFound();
  const known = uuidPattern.test(requestId) ? requestId : null;
  return await store.withdrawRequest(database, { threadId, userId, requestId: known });
}
