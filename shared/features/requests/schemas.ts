import * as z from "zod/mini";
import { uuidPattern } from "../../core/wire/ids.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { IdempotencyKey, IdempotencyKeyField } from "../../core/wire/idempotency_key.ts";
import { said } from "../chat/schemas.ts";
import { MailAddress, MailLanguageField } from "../mail/schemas.ts";

const threadId = requiredId("threadId", "The thread");

const AskExpertFields = z.object({
  threadId: requiredId(
    "threadId",
    "The thread; or a random UUID made by the client, with `question` and `coachId`, for a new thread",
  ),
  message_id: z.nullish(
    z.string("message_id must be a string").check(
      z.regex(uuidPattern, "message_id must be a UUID"),
    ),
  ).check(
    z.describe("The question to ask about, or the answer to it. By default, the last question of the thread"),
  ),
  question: z.nullish(said("question", "A new question")).check(
    z.describe("A new question, which becomes a message of the thread. Cannot be combined with `message_id`"),
  ),
  coachId: z.nullish(z.string("coachId must be a string")).check(
    z.describe("The coach whose expert is asked, if the thread does not exist yet"),
  ),
  email: z.nullish(MailAddress).check(
    z.describe("Where to tell the person of the answer. It gets a mail with a link to confirm it"),
  ),
  language: MailLanguageField,
  idempotencyKey: IdempotencyKey.check(
    z.describe("Makes the request safe to repeat for 24 hours: a repetition gets the same entry"),
  ),
  idempotency_key: IdempotencyKeyField.check(
    z.describe("The same as the header `Idempotency-Key`, for browsers"),
  ),
}, "The request body must be a JSON object");

const oneError = "question and message_id cannot be combined";

/** Input of `askExpert`. */
export const AskExpertInput = AskExpertFields.check(
  z.refine(({ question, message_id }) => question == null || message_id == null, oneError),
);
export type AskExpertInput = z.infer<typeof AskExpertInput>;

/** Arguments of the tool `ask-expert`: a model has no business with addresses, and names no thread of its own. */
export const AskExpertArguments = z.omit(AskExpertFields, {
  coachId: true,
  email: true,
  language: true,
  idempotencyKey: true,
});

/** Input of `listRequests`. */
export const ListRequestsInput = z.object({ threadId });
export type ListRequestsInput = z.infer<typeof ListRequestsInput>;

/** Input of `withdrawRequest`. */
export const WithdrawRequestInput = z.object({
  threadId,
  requestId: requiredId("requestId", "`id` in the list of requests"),
});
export type WithdrawRequestInput = z.infer<typeof WithdrawRequestInput>;
