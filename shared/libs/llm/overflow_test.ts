import { failWith, isOverflow } from "./failure.ts";
import { assertEquals } from "../../../tests/support/assert.ts";

const overflows: [by: string, failure: { status?: number | null; code?: string; message?: string }][] = [
  ["Perplexity, a code", { code: "too_many_prompt_tokens" }],
  ["Perplexity", { message: "The total length of all messages is too long." }],
  ["Perplexity, tokens", { message: "User input tokens exceeds 16384 tokens" }],
  ["OpenAI", { message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens." }],
  ["Anthropic", { message: "prompt is too long: 213462 tokens > 200000 maximum" }],
  ["Gemini", { message: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)." }],
  ["Groq", { message: "Please reduce the length of the messages or completion." }],
  ["llama.cpp", { message: "the request exceeds the available context size, try increasing it" }],
  ["LM Studio", { message: "The number of tokens to keep is greater than the context length" }],
  ["Copilot", { message: "prompt token count of 140000 exceeds the limit of 128000" }],
  ["SiliconFlow", { message: "length of prompt_tokens (163280) must be less than max_seq_len (32768)." }],
  ["Bedrock", { message: "Input is too long for requested model." }],
  ["Cohere", { message: "too many tokens: total number of tokens in the prompt exceeds what the model reads" }],
  ["Mistral", { message: "Prompt contains 40000 tokens, too large for model with 32768 maximum context length" }],
  ["Hugging Face", { message: "`inputs` tokens + `max_new_tokens` must be <= 4097. Given: 4000 `inputs` tokens" }],
  ["TGI", { status: 422, message: "Input validation error: `inputs` must have less than 4095 tokens. Given: 5000" }],
  ["Snowflake", { message: "max tokens of 8192 exceeded" }],
  ["amounts alone", { message: "This sequence has 9,120 tokens, of which only 8,192 are allowed." }],
  ["amounts alone, in a stream", { status: null, message: "requested 9000 tokens > 8192" }],
  ["Baidu", { message: "Prompt tokens too long" }],
  ["Tencent", { message: "input length too long" }],
  ["Zhipu, in Chinese", { message: "Prompt 超长" }],
  ["older llama.cpp", { status: 500, message: "the request exceeds the available context size" }],
  ["older Ollama", { status: 500, message: "the input length exceeds the context length" }],
  ["a proxy", { status: 413, message: "" }],
];

const others: [what: string, failure: { status?: number | null; message: string }][] = [
  ["a limit of a minute", {
    status: 429,
    message: "Rate limit reached on tokens per min (TPM): Limit 30000, Used 20000, Requested 15000.",
  }],
  ["Bedrock's limit of a minute", { status: 429, message: "Too many tokens, please wait before trying again." }],
  ["Bedrock's limit of a day", { status: 429, message: "Too many tokens per day, please wait before trying again." }],
  ["a limit of the answer", {
    message: "max_tokens is too large: 100000. This model supports at most 4096 completion tokens.",
  }],
  ["one amount", { message: "Invalid value for tokens: 128000 is not allowed" }],
  ["small numbers", { message: "Expected at most 128 messages, got 129" }],
  ["dates", { message: "Invalid date 20261123, must be after 20260101" }],
  ["a failure of the server", { status: 500, message: "requested 9000 tokens > 8192" }],
];

for (const [by, failure] of overflows) {
  Deno.test(`isOverflow: ${by}`, () => assertEquals(isOverflow({ ...failWith(""), status: 400, ...failure }), true));
}
for (const [what, failure] of others) {
  Deno.test(`isOverflow: not ${what}`, () => {
    assertEquals(isOverflow({ ...failWith(""), status: 400, ...failure }), false);
  });
}
