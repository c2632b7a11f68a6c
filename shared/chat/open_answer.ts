import type { Context } from "../context.ts";
import { errors } from "../errors.ts";
import { uuidPattern } from "../uuid.ts";
import type { StoredAnswer } from "./schemas.ts";

/**
 * How an answer stands, with the text that follows its first `after` characters.
 *
 * @throws 404 when the caller has no such answer.
 */
export async function openAnswer(
  { services, caller }: Context,
  { messageId, after }: { messageId: string; after: number },
): Promise<StoredAnswer> {
  const asked = { account_id: caller.accountId, user_id: caller.userId, message_id: messageId, after };
  const answer = uuidPattern.test(messageId) ? await services.answers.read(asked) : null;
  if (answer === null) throw errors.messageNotFound();
  return answer;
}
