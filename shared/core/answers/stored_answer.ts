import * as z from "zod/mini";
import { replyObject } from "../../infra/db/reply_object.ts";

const number = z.optional(z.int()).check(
  z.describe("Its number in the text, such as 1 for `[1]`; left out if the text names no source"),
);

/** A passage that the model was given, as it is kept with the answer. The quote is in the file word for word. */
export const PassageSource = z.object({
  kind: z.literal("passage"),
  number,
  /** The same for the same text, whenever its file is read again. */
  passageId: z.string(),
  fileId: z.string(),
  /** The same as `fileId`. */
  file_id: z.string(),
  filename: z.string(),
  source_url: z.nullable(z.string()).check(
    z.describe("The web address that the file was read from; null for an upload"),
  ),
  position: z.int().check(z.describe("The place of the passage within the file, starting with 0")),
  page: z.nullable(z.number()),
  heading: z.nullable(z.string()),
  seconds: z.optional(z.int().check(z.describe("Of a recording or a video: the second at which the passage begins"))),
  is_recognized: z.optional(z.boolean()).check(z.describe("True: a model has read it from a picture")),
  quote: z.string(),
  score: z.number(),
});
export type PassageSource = z.infer<typeof PassageSource>;

/** A pinned answer that the model was given, or that is the answer itself, as it is kept with the answer. */
export const PinnedAnswerSource = z.object({
  kind: z.literal("pinned_answer"),
  number,
  pinnedAnswerId: z.string(),
  version: z.number(),
  /** The question that it answers. */
  question: z.string(),
  /** Its beginning. */
  quote: z.string(),
  /** True if it was given word for word, without the model. */
  isWordForWord: z.boolean(),
});
export type PinnedAnswerSource = z.infer<typeof PinnedAnswerSource>;

/** A source of an answer. */
export const Source = z.discriminatedUnion("kind", [PassageSource, PinnedAnswerSource]);
export type Source = z.infer<typeof Source>;

/** The authors of an answer: the model, or the real person behind the coach. */
export const authors = ["ai", "expert"] as const;

/** The states of an answer: it waits for the expert or streams, until it ends in one of the others. */
export const answerStates = ["waiting", "streaming", "complete", "stopped", "failed"] as const;

/** The present state of a stored answer. */
export const StoredAnswer = replyObject({
  message_id: z.string(),
  /** The run that writes it. A retry is another run, which starts with an empty text. */
  run_id: z.nullable(z.string()),
  thread_id: z.string(),
  created_at: z.string(),
  status: z.enum(answerStates),
  author: z.enum(authors),
  /** The text after the characters that the reader has. */
  content: z.string(),
  response_id: z.nullable(z.string()),
  /** Null while no tokens are counted. */
  usage: z.nullable(replyObject({
    fresh_input: z.number(),
    cached_input: z.number(),
    visible_output: z.number(),
    reasoning: z.number(),
    is_estimated: z.boolean(),
  })),
  /** The code of the error that the client got. */
  error_code: z.nullable(z.string()),
  /** While it streams, all that the model was given. */
  sources: z.nullable(z.array(Source)),
  /** True if its run has shown no sign of life for 30 s. */
  is_abandoned: z.boolean(),
});
export type StoredAnswer = z.infer<typeof StoredAnswer>;

/** An answer that is still streaming and whose run has shown no sign of life for 30 s. */
export const AbandonedAnswer = replyObject({
  message_id: z.string(),
  response_id: z.nullable(z.string()),
  sources: z.nullable(z.array(Source)),
});
export type AbandonedAnswer = z.infer<typeof AbandonedAnswer>;
