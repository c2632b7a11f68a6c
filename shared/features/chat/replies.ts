import * as z from "zod/mini";
import { answerStates, authors, PassageSource, Source } from "../../core/answers/stored_answer.ts";
import { Count, ErrorCode, Timestamp, Uuid } from "../../core/wire/fields.ts";

/** A message of a user or a coach. */
export const Message = z.object({
  id: z.string(),
  thread_id: Uuid,
  content: z.string(),
  role: z.enum(["user", "assistant"]),
  response_id: z.nullable(z.string()).check(
    z.describe("The model server's ID of the answer; null for a user's message"),
  ),
  created_at: Timestamp,
});

/** A whole answer in one piece. */
export const AnswerObject = z.object({
  thread_id: Uuid.check(z.describe("Pass it to continue the conversation")),
  message: z.object({ ...Message.shape, role: z.literal("assistant") }),
  sources: z.array(Source).check(z.describe(
    "The sources that the answer draws on: those that its text names, by their `number`; if it names none, those " +
      "with whose text it shares rare words",
  )),
  status: z.enum(answerStates).check(
    z.describe(
      "`waiting`: the expert has taken over and will answer. The text is then a notice, which is not stored",
    ),
  ),
  author: z.enum(authors).check(z.describe("The author: the model (`ai`) or the real person behind the coach")),
});
export type AnswerObject = z.infer<typeof AnswerObject>;

/** A pinned answer that would be used. */
export const TriedPinnedAnswer = z.object({ id: Uuid, version: z.int(), question: z.string(), answer: z.string() });

/** The answer that would be given to a question. */
export const TriedAnswer = z.object({
  text: z.string(),
  author: z.enum(authors).check(
    z.describe("`expert`: the pinned answer, word for word; `ai`: written by the model"),
  ),
  sources: z.array(Source).check(
    z.describe("The sources that the text names, by their number; or the pinned answer that it repeats"),
  ),
  asks_expert: z.nullable(z.string()).check(
    z.describe(
      "The open question that a turn would have stored because the model does not know the answer; otherwise null",
    ),
  ),
});
export type TriedAnswer = z.infer<typeof TriedAnswer>;

/** The material that a coach would use to answer a question. */
export const TriedQuestion = z.object({
  exact: z.nullable(TriedPinnedAnswer).check(
    z.describe("The pinned answer that would be given word for word, without the model; otherwise null"),
  ),
  near: z.array(TriedPinnedAnswer).check(
    z.describe("Similar pinned answers that the model would be given, best first"),
  ),
  passages: z.array(PassageSource).check(z.describe("Passages that the model would be given, best first")),
  answer: z.nullable(TriedAnswer).check(z.describe("The answer; null unless it was asked for")),
});
export type TriedQuestion = z.infer<typeof TriedQuestion>;

export const MetaEvent = z.object({ thread_id: Uuid, message_id: z.string(), created_at: Timestamp });
export const DeltaEvent = z.object({ text: z.string() });
export const SourcesEvent = z.array(Source);
export const UsageEvent = z.object({ input_tokens: Count, output_tokens: Count });
export type UsageEvent = z.infer<typeof UsageEvent>;
export const DoneEvent = z.object({
  status: z.enum(["complete", "stopped", "waiting"]).check(
    z.describe(
      "`waiting`: the expert has taken over and will answer. The text sent is a notice, which is not stored",
    ),
  ),
  author: z.enum(authors).check(z.describe("The author: the model (`ai`) or the real person behind the coach")),
  response_id: z.nullable(z.string()),
  is_passed_on: z.optional(z.literal(true)).check(
    z.describe("The question was passed on to the expert; otherwise left out, and always where an answer is resumed"),
  ),
  is_budgeted: z.optional(z.literal(true)).check(
    z.describe("The answer counts on a budget: `getBudget` has what is left; left out as above"),
  ),
});
export const ErrorEvent = z.object({
  status: z.int().check(z.describe("The HTTP status that a reply without a stream would have")),
  code: ErrorCode,
  error: z.string(),
  details: z.optional(z.string()),
});
