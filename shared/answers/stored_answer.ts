import * as z from "zod/mini";
import { replyObject } from "../db/reply_object.ts";

/** A passage that an answer was given, as it is kept with the message. The quote is in the file word for word. */
export const Source = z.object({
  fileId: z.string(),
  filename: z.string(),
  page: z.nullable(z.number()),
  heading: z.nullable(z.string()),
  quote: z.string(),
  score: z.number(),
});
export type Source = z.infer<typeof Source>;

/** What becomes of an answer: it streams until it ends as one of the others. */
export const answerStates = ["streaming", "complete", "stopped", "failed"] as const;

/** How a stored answer is now. */
export const StoredAnswer = replyObject({
  message_id: z.string(),
  /** The run that writes it. A retry is another run, which starts with an empty text. */
  run_id: z.nullable(z.string()),
  thread_id: z.string(),
  created_at: z.string(),
  status: z.enum(answerStates),
  /** The text after the characters that the reader has. */
  content: z.string(),
  response_id: z.nullable(z.string()),
  input_tokens: z.nullable(z.number()),
  output_tokens: z.nullable(z.number()),
  /** What it failed with: the code of the error that the client got. */
  error_code: z.nullable(z.string()),
  sources: z.nullable(z.array(Source)),
  /** Whether its run has shown no sign of life for 30 s. */
  is_abandoned: z.boolean(),
});
export type StoredAnswer = z.infer<typeof StoredAnswer>;

/** An answer that is still streaming and whose run has shown no sign of life for 30 s. */
export const AbandonedAnswer = replyObject({ message_id: z.string(), response_id: z.nullable(z.string()) });
export type AbandonedAnswer = z.infer<typeof AbandonedAnswer>;
