import * as z from "zod/mini";
import { AnswerText, Question } from "../pinned_answers/schemas.ts";
import { countCharacters } from "../../base/text/count_characters.ts";
import { isStorableText } from "../../base/text/storable_text.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { IdempotencyKeyField } from "../../core/wire/idempotency_key.ts";

const threadId = requiredId("threadId", "The thread: `thread_id` of an answer, or `id` in a list of threads");

/** Input of `takeOver`. */
export const TakeOverInput = z.object({ threadId });
export type TakeOverInput = z.infer<typeof TakeOverInput>;

/** Input of `releaseThread`. */
export const ReleaseThreadInput = z.object({ threadId });
export type ReleaseThreadInput = z.infer<typeof ReleaseThreadInput>;

const maxContentCharacters = 32_000;

/** Input of `sayAsExpert`. */
export const SayAsExpertInput = z.object({
  threadId,
  content: z.string({
    error: ({ input }) => input === undefined ? "content is required" : "content must be a string",
  }).check(
    z.refine((text) => text.trim() !== "", { error: "content must not be blank", abort: true }),
    z.refine(
      (text) => countCharacters(text) <= maxContentCharacters,
      { error: "content must be at most 32,000 characters long", abort: true },
    ),
    z.refine(isStorableText, "content must not contain NUL characters or unpaired surrogates"),
    z.meta({
      description: "The expert's message, not blank",
      minLength: 1,
      maxLength: maxContentCharacters,
    }),
  ),
  in_reply_to: z.nullish(
    z.string("in_reply_to must be a string").check(
      z.regex(uuidPattern, "in_reply_to must be a UUID"),
    ),
  ).check(
    z.describe(
      "The user's message that it answers. By default, that of the oldest request of the thread that waits, or of the " +
        "oldest question that does",
    ),
  ),
  idempotency_key: IdempotencyKeyField.check(
    z.describe(
      "Makes the request safe to repeat for 24 hours: a repetition gets the same message, and nothing is stored " +
        "twice",
    ),
  ),
});
export type SayAsExpertInput = z.infer<typeof SayAsExpertInput>;

const barError = "bar_passages must be a list of at most 100 passage IDs";

/** Input of `reviseAnswer`. */
export const ReviseAnswerInput = z.object({
  threadId: requiredId("threadId", "The thread of the answer"),
  messageId: requiredId("messageId", "The wrong answer: `id` in a list of messages"),
  answer: AnswerText.check(z.describe("The correct answer, in the expert's words")),
  question: z.nullish(Question).check(
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
});
export type ReviseAnswerInput = z.infer<typeof ReviseAnswerInput>;
