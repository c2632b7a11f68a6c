import * as z from "zod/mini";
import { OpenaiError } from "../../openai/openai_error.ts";
import type { Examples } from "../describe_endpoint.ts";
import { type ErrorForm, refer, storedHeaders } from "../replies.ts";
import { exampleAnswer, exampleCoach } from "./things.ts";

/** Body of an error of the function `openai`. */
export const OpenaiErrorBody = z.object({
  error: z.object({
    message: z.string().check(z.describe("What went wrong, in a sentence")),
    type: z.string(),
    param: z.nullable(z.string()).check(z.describe("The parameter at fault")),
    code: z.string().check(z.describe("OpenAI's code where it has one, otherwise that of `X-Error-Code`")),
  }),
});

/** The form of the errors of the function `openai`. */
export const openaiErrors: ErrorForm = {
  tell: (error) => new OpenaiError(error),
  bodyOf: () => OpenaiErrorBody,
  headers: {
    "x-should-retry": {
      schema: { type: "string", enum: ["false"] },
      description: "Tells the official clients that another try cannot help",
    },
  },
};

const created = 1_764_000_000;
const content = exampleAnswer.content;
const exampleModel = {
  id: exampleCoach.id,
  object: "model",
  created,
  owned_by: "Example",
  name: exampleCoach.name,
  description: exampleCoach.title,
  slug: exampleCoach.slug,
};
const exampleCompletion = {
  id: `chatcmpl-${exampleAnswer.id}`,
  object: "chat.completion",
  created,
  model: exampleCoach.id,
  service_tier: "default",
  system_fingerprint: null,
  choices: [{
    index: 0,
    message: { role: "assistant", content, refusal: null, annotations: [] },
    logprobs: null,
    finish_reason: "stop",
  }],
  usage: {
    prompt_tokens: 412,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens: 9,
    completion_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 421,
  },
};
const exampleResponse = {
  id: `resp_${exampleAnswer.id}`,
  object: "response",
  created_at: created,
  completed_at: created + 2,
  status: "completed",
  background: false,
  error: null,
  frequency_penalty: 0,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  model: exampleCoach.id,
  output: [{
    id: `msg_${exampleAnswer.id}`,
    type: "message",
    status: "completed",
    role: "assistant",
    content: [{ type: "output_text", text: content, annotations: [], logprobs: [] }],
  }],
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: "default",
  store: true,
  temperature: null,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_logprobs: 0,
  top_p: null,
  truncation: "disabled",
  usage: {
    input_tokens: 412,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 9,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 421,
  },
  user: null,
};

const ofTurns = {
  replyHeaders: {
    "X-Thread-Id": { ...storedHeaders["X-Thread-Id"], description: "The thread of the turn. A task has none" },
    "X-Message-Id": { ...storedHeaders["X-Message-Id"], description: "The answer. A task has none" },
  },
  failureHeaders: storedHeaders,
};
const events = (description: string) => ({
  "text/event-stream": { schema: { type: "string" as const, description } },
});

export const openaiExamples: Examples = {
  listModels: { example: { object: "list", data: [exampleModel] } },
  getModel: { example: exampleModel },
  createChatCompletion: {
    ...ofTurns,
    example: exampleCompletion,
    streams: events("With `stream`: chunks as `data:` lines, and `[DONE]`"),
  },
  createResponse: {
    ...ofTurns,
    example: exampleResponse,
    streams: events("With `stream`: the events of the Responses API"),
  },
  getResponse: {
    replyHeaders: refer("X-Thread-Id", "X-Message-Id"),
    example: exampleResponse,
  },
  deleteResponse: { example: { id: exampleResponse.id, object: "response", deleted: true } },
  cancelResponse: {
    replyHeaders: refer("X-Thread-Id", "X-Message-Id"),
    example: exampleResponse,
  },
};
