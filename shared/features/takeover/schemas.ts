import * as z from "zod/mini";
import { AnswerText, Question } from "../pinned_answers/schemas.ts";
import { countCharacters } from "../../base/text/count_characters.ts";
import { isStorableText } from "../../base/text/storable_text.ts";
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
    z.refine(isStorableText, "content must not contain NUL characters or halves of surrogate pairs"),
    z.meta({
      description: "What the expert says: something besides white space",
      minLength: 1,
      maxLength: maxContentCharacters,
    }),
  ),
  idempotency_key: IdempotencyKeyField.check(
    z.describe("Makes the request safe to repeat for 24 hours: it gets the same message, and nothing is said twice"),
  ),
});
export type SayAsExpertInput = z.infer<typeof SayAsExpertInput>;

const barError = "bar_passages must be a list of at most 100 ids of passages";

/** Input of `reviseAnswer`. */
export const ReviseAnswerInput = z.object({
  threadId: requiredId("threadId", "The thread of the answer"),
  messageId: requiredId("messageId", "The answer that is wrong: `id` in a list of messages"),
  answer: AnswerText.check(z.describe("What the expert says instead")),
  question: z.nullish(Question).check(
    z.describe(
      "What it answers, as somebody would ask it. It may be left out only where the answer has led to an open question: " +
        "what the user has said is never taken for it, since a pinned answer outlives its user",
    ),
  ),
  notify: z.nullish(z.boolean("notify must be true or false")).check(
    z.describe("Whether the person reads the correction in their thread, as a message of the expert; left out, no"),
  ),
  bar_passages: z.nullish(
    z.array(z.string(barError).check(z.maxLength(255, barError)), barError).check(z.maxLength(100, barError)),
  ).check(
    z.describe("Passages that misled: `passageId` of the answer's sources. No answer draws on them any more"),
  ),
  idempotency_key: IdempotencyKeyField.check(
    z.describe("Makes the request safe to repeat for 24 hours: it gets the same reply, and nobody is told twice"),
  ),
});
export type ReviseAnswerInput = z.infer<typeof ReviseAnswerInput>;
