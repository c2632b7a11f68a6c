import * as store from "../../core/answers/store.ts";
import type { AskedAnswer } from "../../core/answers/answer.ts";
import type { StoredAnswer } from "../../core/answers/stored_answer.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../infra/errors.ts";
import { uuidPattern } from "../../core/wire/ids.ts";

/** The answer to read, and the number of characters that the caller already has. */
export type ReadAnswerInput = { messageId: string; after: number };

/**
 * Returns a stored answer, with the text after its first `after` characters.
 *
 * @throws 404 if the caller has no such answer.
 */
export async function readAnswer({ database, userId }: RequestContext, input: ReadAnswerInput): Promise<StoredAnswer> {
  const isId = uuidPattern.test(input.messageId);
  return requireAnswer(isId ? await store.readAnswer(database, { ...input, userId }) : null);
}

/**
 * Reads the same answer again a moment later; null if it was deleted. @throws {DatabaseError} when all tries have
 * failed.
 */
export async function readAnswerSoon(
  { services, admission, userId }: RequestContext,
  { messageId, after }: ReadAnswerInput,
  patience: number,
): Promise<StoredAnswer | null> {
  const { accountId } = await admission.require();
  const asked: AskedAnswer = { accountId, userId, messageId, after };
  return await services.answers.readSoon(asked, patience);
}

/** @throws 404 if there is no answer. */
export function requireAnswer(answer: StoredAnswer | null): StoredAnswer {
  if (answer === null) throw errors.messageNotFound();
  return answer;
}
