import type { Caller, RequestContext } from "../context.ts";
import { errors } from "../errors.ts";
import type { AskedAnswer } from "../answers/answer.ts";
import type { StoredAnswer } from "../answers/stored_answer.ts";
import { uuidPattern } from "../wire/uuid.ts";

/** An answer, and how many characters of it the caller has. */
export type ReadAnswerInput = { messageId: string; after: number };

/**
 * An answer as it is stored now, with the text that follows its first `after` characters.
 *
 * @throws 404 when the caller has no such answer.
 */
export async function readAnswer({ services, caller }: RequestContext, input: ReadAnswerInput): Promise<StoredAnswer> {
  const isId = uuidPattern.test(input.messageId);
  return requireAnswer(isId ? await services.answers.read(askedBy(caller, input)) : null);
}

/** What the reader of answers needs to find an answer for a caller. */
export function askedBy({ accountId, userId }: Caller, { messageId, after }: ReadAnswerInput): AskedAnswer {
  return { accountId, userId, messageId, after };
}

/** @throws 404 where there is no answer. */
export function requireAnswer(answer: StoredAnswer | null): StoredAnswer {
  if (answer === null) throw errors.messageNotFound();
  return answer;
}
