import * as z from "zod/mini";

/** A passage that an answer was given, as it is kept with the message. The quote stands in the file word for word. */
export const Source = z.object({
  fileId: z.string(),
  filename: z.string(),
  page: z.nullable(z.number()),
  heading: z.nullable(z.string()),
  quote: z.string(),
  score: z.number(),
});
export type Source = z.infer<typeof Source>;

/** An answer as the SQL functions `read_answers`, `stop_turn` and `begin_turn` tell how it stands. */
export const StoredAnswer = z.object({
  message_id: z.string(),
  /** The run that writes it; another after a retry, which begins anew. */
  run_id: z.nullable(z.string()),
  thread_id: z.string(),
  created_at: z.string(),
  status: z.enum(["streaming", "complete", "stopped", "failed"]),
  /** The text from where it was asked for. */
  content: z.string(),
  response_id: z.nullable(z.string()),
  input_tokens: z.nullable(z.number()),
  output_tokens: z.nullable(z.number()),
  /** What it failed with: the code of the error that its reader was told. */
  error_code: z.nullable(z.string()),
  sources: z.nullable(z.array(Source)),
  /** Whether its writer has shown no sign of life for 30 s. */
  is_abandoned: z.boolean(),
});
export type StoredAnswer = z.infer<typeof StoredAnswer>;

/** Reply of the SQL function `read_answers`: null for what the caller does not have. */
export const StoredAnswers = z.array(z.nullable(StoredAnswer));
