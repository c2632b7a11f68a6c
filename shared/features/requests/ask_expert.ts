import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { IdempotencyKey, IdempotencyKeyField, identityColumns } from "../../core/wire/idempotency_key.ts";
import { threadColumns, uuidPattern } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { said } from "../chat/fields.ts";
import { shortenTitle } from "../chat/question.ts";
import { addressField, languageField, tellsUsers } from "../mail/fields.ts";
import { ExpertRequest } from "./fields.ts";

const input = z.object({
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
  email: z.nullish(addressField).check(
    z.describe("Where to tell the person of the answer. It gets a mail with a link to confirm it"),
  ),
  language: languageField,
  idempotencyKey: IdempotencyKey.check(
    z.describe("Makes the request safe to repeat for 24 hours: a repetition gets the same entry"),
  ),
  idempotency_key: IdempotencyKeyField.check(
    z.describe("The same as the header `Idempotency-Key`, for browsers"),
  ),
}, "The request body must be a JSON object");

/** Arguments of the tool `ask-expert`: a model has no business with addresses, and names no thread of its own. */
export const askExpertArguments = z.omit(input, { coachId: true, email: true, language: true, idempotencyKey: true });

const AskedExpert = z.object({ request: ExpertRequest, is_new: z.boolean() });

/** Asks the expert in person, about a question of the thread or a new one. Again, it only changes the address. */
export const operation = defineEndpoint({
  name: "askExpert",
  method: "POST",
  path: "/threads/:threadId/ask-expert",
  headers: { idempotencyKey: "Idempotency-Key" },
  body: "application/json",
  isBodyOptional: true,
  scope: "chat",
  failure: "Failed to ask the expert",
  errors: () => [
    errors.threadNotFound(),
    errors.messageNotFound(),
    errors.coachNotFound(),
    errors.coachPaused(),
    errors.coachMismatch(),
    errors.idempotencyKeyReused(),
    errors.mailNotAvailable(),
    errors.tooManyMails(),
  ],
  input: input.check(z.refine(
    ({ question, message_id }) => question == null || message_id == null,
    "question and message_id cannot be combined",
  )),
  output: ExpertRequest,
  async verb({ database, userId, requestId, services, log }, { threadId, idempotencyKey, idempotency_key, ...asked }) {
    const { user_id, thread_id } = threadColumns({ threadId, userId });
    const { message_id = null, question = null, coachId: coach_id = null, email = null, language = null } = asked;
    if (email !== null && !tellsUsers(services)) {
      await database.admit();
      throw errors.mailNotAvailable();
    }
    // There is always a key for a new question, because an interrupted call is repeated.
    const key = idempotencyKey ?? idempotency_key ?? (question === null ? undefined : crypto.randomUUID());
    const reply = await callRepeatable(database, "ask_expert", {
      user_id,
      asked: {
        thread_id,
        message_id,
        question,
        coach_id,
        title: question === null ? null : shortenTitle(question),
        email,
        language,
        request_id: requestId,
        ...identityColumns(key, { threadId, message_id, question, email }),
      },
    }, AskedExpert);
    if (reply.request.email === "unconfirmed" && email !== null) services.waitUntil(services.wakeMailer(log));
    return reply;
  },
  reply: (c, { request, is_new }) => c.json(request, is_new ? 201 : 200),
});
