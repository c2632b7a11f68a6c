import { withQuestions } from "../../core/questions/read_questions.ts";
import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { isStorableText } from "../../libs/base/text.ts";
import { dropCitations } from "../../core/answers/citation_filter.ts";
import { Count, requiredId, Uuid } from "../../core/wire/fields.ts";
import { IdempotencyKeyField, identityColumns } from "../../core/wire/idempotency_key.ts";
import { threadColumns, uuidOrNull } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { answerField, questionField } from "../pinned_answers/fields.ts";

export const RevisedAnswer = z.object({
  pinnedAnswerId: Uuid.check(z.describe("The pinned answer with the correction")),
  version: Count.check(z.describe("Its version: 1 if it is new")),
  messageId: z.nullable(z.string()).check(z.describe("The message to the person; null without `notify`")),
});

const barError = "bar_passages must be a list of at most 100 passage IDs";

/** Pins the expert's correction of an answer, bars passages, and notifies the person: all of it, or nothing. */
export const operation = defineEndpoint({
  name: "reviseAnswer",
  method: "POST",
  path: "/threads/:threadId/messages/:messageId/revise",
  body: "application/json",
  scope: "expert",
  failure: "Failed to revise the answer",
  errors: () => [
    errors.notTheExpert(),
    errors.roleNotSufficient(),
    errors.threadNotFound(),
    errors.messageNotFound(),
    errors.passageNotFound(),
    errors.answerUnfinished(),
    errors.invalidInput("question is required"),
    errors.idempotencyKeyReused(),
  ],
  input: z.object({
    threadId: requiredId("threadId", "The thread of the answer"),
    messageId: requiredId("messageId", "The wrong answer: `id` in a list of messages"),
    answer: answerField.check(z.describe("The correct answer, in the expert's words")),
    question: z.nullish(questionField).check(
      z.describe(
        "The question that it answers, as a person would ask it. It may be left out only if the answer led to an " +
          "open question. The user's own words are never used, because a pinned answer outlives its user",
      ),
    ),
    notify: z.nullish(z.boolean("notify must be true or false")).check(
      z.describe(
        "Whether to send the correction to the person, as a message of the expert in their thread; by default, false",
      ),
    ),
    bar_passages: z.nullish(
      z.array(z.string(barError).check(z.maxLength(255, barError)), barError).check(z.maxLength(100, barError)),
    ).check(
      z.describe("Misleading passages: `passageId` of the answer's sources. No answer uses them any more"),
    ),
    idempotency_key: IdempotencyKeyField.check(
      z.describe(
        "Makes the request safe to repeat for 24 hours: a repetition gets the same reply, and nobody is notified " +
          "twice",
      ),
    ),
  }),
  output: RevisedAnswer,
  async verb({ database, userId, requestId }, { threadId, messageId, idempotency_key, ...correction }) {
    const { user_id, thread_id } = threadColumns({ threadId, userId });
    const { answer, question, notify, bar_passages } = correction;
    return await withQuestions(
      { threadId },
      question ? [question] : [],
      ([asked]) =>
        callRepeatable(database, "revise_answer", {
          user_id,
          revision: {
            thread_id,
            message_id: uuidOrNull(messageId),
            // Its numbers name sources of the answer that it corrects.
            answer: dropCitations(answer) || answer,
            question: asked ?? null,
            notify: notify ?? false,
            // What Postgres cannot hold is the ID of no passage, as an empty text is.
            bar_passages: bar_passages?.map((id) => isStorableText(id) ? id : "") ?? [],
            request_id: requestId,
            // There is always a key, because an interrupted call is repeated, and nobody should be notified twice.
            ...identityColumns(idempotency_key ?? crypto.randomUUID(), { threadId, messageId, ...correction }),
          },
        }, RevisedAnswer),
    );
  },
});
