import * as z from "zod/mini";

/** A coach as a model. */
export const Model = z.object({
  id: z.string().check(z.describe("The ID of the coach")),
  object: z.literal("model"),
  created: z.int(),
  owned_by: z.string().check(z.describe("The name of the account")),
  name: z.string(),
  description: z.string(),
  slug: z.nullable(z.string()).check(
    z.describe("The name of the coach in addresses, which can take the place of `id`"),
  ),
});
export type Model = z.infer<typeof Model>;

export const ModelList = z.object({ object: z.literal("list"), data: z.array(Model) });
export type ModelList = z.infer<typeof ModelList>;

/** The reasons for which a completion ends. */
export const finishReasons = ["stop", "length", "content_filter"] as const;
export type FinishReason = typeof finishReasons[number];

export const CompletionUsage = z.object({
  prompt_tokens: z.int(),
  prompt_tokens_details: z.object({ cached_tokens: z.int() }),
  completion_tokens: z.int(),
  completion_tokens_details: z.object({ reasoning_tokens: z.int() }),
  total_tokens: z.int(),
});
export type CompletionUsage = z.infer<typeof CompletionUsage>;

const UrlCitation = z.object({
  start_index: z.int().check(z.describe("Where `[1]` begins in the text, in UTF-16 code units")),
  end_index: z.int(),
  title: z.string(),
  url: z.string().check(z.describe("The web page that the source was read from, otherwise its place in the reader")),
});
/** A place in a text that names a source with an address. */
export type UrlCitation = z.infer<typeof UrlCitation>;

/** Reply of `POST /chat/completions` without `stream`. */
export const ChatCompletion = z.object({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.int(),
  model: z.string(),
  choices: z.array(z.object({
    index: z.literal(0),
    message: z.object({
      role: z.literal("assistant"),
      content: z.string(),
      refusal: z.null(),
      annotations: z.array(z.object({ type: z.literal("url_citation"), url_citation: UrlCitation })),
    }),
    logprobs: z.null(),
    finish_reason: z.enum(finishReasons),
  })),
  usage: CompletionUsage,
});
export type ChatCompletion = z.infer<typeof ChatCompletion>;

/** The output of a response: one message. */
export const OutputMessage = z.object({
  id: z.string(),
  type: z.literal("message"),
  status: z.enum(["in_progress", "completed", "incomplete"]),
  role: z.literal("assistant"),
  content: z.array(z.object({
    type: z.literal("output_text"),
    text: z.string(),
    annotations: z.array(z.object({ type: z.literal("url_citation"), ...UrlCitation.shape })),
    logprobs: z.array(z.unknown()),
  })),
});
export type OutputMessage = z.infer<typeof OutputMessage>;

/** A response of the Responses API. */
export const Response = z.object({
  id: z.string().check(z.describe("`resp_` and the ID of the answer")),
  object: z.literal("response"),
  created_at: z.int(),
  status: z.enum(["in_progress", "completed", "incomplete", "failed", "cancelled"]),
  background: z.literal(false),
  error: z.nullable(z.object({ code: z.string(), message: z.string(), type: z.string() })),
  incomplete_details: z.nullable(z.object({ reason: z.string() })),
  instructions: z.nullable(z.string()),
  max_output_tokens: z.nullable(z.int()),
  metadata: z.record(z.string(), z.unknown()),
  model: z.string(),
  output: z.array(OutputMessage),
  parallel_tool_calls: z.boolean(),
  previous_response_id: z.nullable(z.string()),
  reasoning: z.object({ effort: z.null(), summary: z.null() }),
  store: z.boolean(),
  temperature: z.null(),
  text: z.object({ format: z.looseObject({ type: z.string() }) }),
  tool_choice: z.enum(["auto", "none"]),
  tools: z.array(z.unknown()),
  top_p: z.null(),
  truncation: z.literal("disabled"),
  usage: z.nullable(z.object({
    input_tokens: z.int(),
    input_tokens_details: z.object({ cached_tokens: z.int() }),
    output_tokens: z.int(),
    output_tokens_details: z.object({ reasoning_tokens: z.int() }),
    total_tokens: z.int(),
  })),
  user: z.nullable(z.string()),
});
export type Response = z.infer<typeof Response>;

export const DeletedResponse = z.object({
  id: z.string(),
  object: z.literal("response"),
  deleted: z.literal(true),
});
export type DeletedResponse = z.infer<typeof DeletedResponse>;
