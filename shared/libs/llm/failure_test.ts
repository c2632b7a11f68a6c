import { classify, FailedReply, failWith, readFailure, readReport, settingOf } from "./failure.ts";
import type { ReportedFailure } from "./model_event.ts";
import { createClientLoader, createPostRequest } from "./openai_client.ts";
import { assert, assertEquals, assertRejects } from "../../../tests/support/assert.ts";
import { openaiEnv } from "../../../tests/support/openai_env.ts";

/** Asks a server that always gives the same reply. */
async function failAt(response: () => Response): Promise<ReportedFailure> {
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, response);
  return await failWithServer(`http://127.0.0.1:${server.addr.port}`);
}

/** Asks as turns do, and through the official client, which must fail with the same. */
async function failWithServer(baseUrl: string): Promise<ReportedFailure> {
  const env = openaiEnv(baseUrl);
  const body = { model: "m", input: "Hi" };
  const { responses } = await createClientLoader(env)();
  const viaClient = readFailure(await assertRejects(() => responses.create(body, { maxRetries: 0 }).asResponse()));
  const request = createPostRequest(env)("/responses", body, new AbortController().signal);
  const { failure } = await assertRejects(() => request, FailedReply);
  assertEquals(failure, viaClient);
  return failure;
}

/** Errors of servers, with their meaning: a kind, and the setting to check. */
const replies: Record<string, [status: number, body: unknown, meaning: string]> = {
  "a flagged prompt": [400, {
    error: {
      code: "invalid_prompt",
      message: "Your prompt was flagged as potentially violating our usage policy. See /guides/reasoning#advice",
    },
  }, "refused"],
  "Azure's filter": [400, {
    error: {
      code: "content_filter",
      param: "prompt",
      status: 400,
      innererror: { code: "ResponsibleAIPolicyViolation" },
    },
  }, "refused"],
  "Anthropic's filter": [400, {
    error: { type: "invalid_request_error", message: "Output blocked by content filtering policy" },
  }, "refused"],
  "DashScope's filter": [400, { error: { code: "data_inspection_failed" } }, "refused"],
  "DeepSeek's filter": [400, { error: { message: "Content Exists Risk" } }, "refused"],
  "xAI's filter": [403, { code: "No permission", error: "Content violates usage guidelines." }, "refused"],
  "OpenRouter's filter": [403, {
    error: { code: 403, message: "Your input was flagged. No credits were charged." },
  }, "refused"],
  "LiteLLM's filter": [400, { error: { message: "litellm.ContentPolicyViolationError: No" } }, "refused"],
  "Volcengine's filter": [400, {
    error: { code: "InputTextSensitiveContentDetected", message: "The input text may contain sensitive information." },
  }, "refused"],
  "Zhipu's filter": [
    400,
    { error: { code: "1301", message: "系统检测到输入或生成内容可能包含不安全或敏感内容" } },
    "refused",
  ],
  "a person who is blocked": [400, {
    error: { code: "identifier_blocked", param: "safety_identifier", message: "Blocked" },
  }, "refused"],

  "vLLM's length": [400, {
    error: { code: 400, message: "The decoder prompt (length 51) is longer than the maximum model length of 40." },
  }, "too_long"],
  "xAI's length": [400, {
    error: "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
  }, "too_long"],
  "Anthropic's length": [400, {
    error: { message: "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000" },
  }, "too_long"],
  "Gemini's length, in a list": [400, [{
    error: { code: 400, message: "The input token count (12) exceeds the maximum number of tokens allowed (10)." },
  }], "too_long"],
  "llama.cpp's length": [400, { error: { code: 400, type: "exceed_context_size_error" } }, "too_long"],
  "LM Studio's length": [400, { error: "The model is loaded with context length of only 4096 tokens" }, "too_long"],
  "Mistral's length": [
    400,
    { object: "error", message: "too large for model with 32768 maximum context length" },
    "too_long",
  ],
  "Moonshot's length": [400, { error: { message: "Your request exceeded model token limit: 8192" } }, "too_long"],
  "Zhipu's length": [400, { error: { code: "1261", message: "Prompt exceeds max length" } }, "too_long"],
  "more than a minute's tokens at once": [429, {
    error: { code: "rate_limit_exceeded", type: "tokens", message: "Request too large for gpt-4o on tokens per min" },
  }, "too_long"],
  "older vLLM's length": [400, { error: { message: "max_tokens must be at least 1, got -186." } }, "too_long"],
  "LiteLLM's length": [400, { error: { message: "litellm.ContextWindowExceededError: No" } }, "too_long"],
  "a proxy's limit": [413, "<html><title>413 Request Entity Too Large</title></html>", "too_long"],

  "Bedrock's limit": [429, { message: "Too many tokens, please wait before trying again." }, "busy"],
  "DashScope's limit": [429, {
    error: { code: "Throttling.RateQuota", message: "Requests rate limit exceeded, please try again later." },
  }, "busy"],
  "Gemini's load": [503, [{
    error: { code: 503, status: "UNAVAILABLE", message: "This model is currently experiencing high demand." },
  }], "busy"],
  "Hugging Face that is loading": [503, { error: "Model m is currently loading", estimated_time: 20 }, "busy"],
  "too many requests": [429, { error: { code: "rate_limit_exceeded", type: "requests" } }, "busy"],
  "Gemini's limit of a minute": [429, [{
    error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "You exceeded your current quota, check your billing" },
  }], "busy"],
  "Anthropic's load": [529, { error: { type: "overloaded_error", message: "Overloaded" } }, "busy"],
  "llama.cpp that is loading": [503, { error: { code: 503, message: "Loading model" } }, "busy"],

  "an empty account": [429, { error: { code: "insufficient_quota" } }, "misconfigured OPENAI_API_KEY"],
  "Anthropic's empty account": [400, {
    error: { type: "invalid_request_error", message: "Your credit balance is too low" },
  }, "misconfigured OPENAI_API_KEY"],
  "xAI's empty account": [429, {
    error: "Your team has used all available credits or reached its monthly spending limit.",
  }, "misconfigured OPENAI_API_KEY"],
  "xAI's wrong key": [
    400,
    { error: "Incorrect API key provided: xa***1. You can get one." },
    "misconfigured OPENAI_API_KEY",
  ],
  "Gemini's wrong key": [400, [{
    error: { code: 400, status: "INVALID_ARGUMENT", message: "API key not valid. Please pass a valid API key." },
  }], "misconfigured OPENAI_API_KEY"],
  "Gemini's missing key": [400, [{
    error: { code: 400, status: "INVALID_ARGUMENT", message: "Missing or invalid Authorization header." },
  }], "misconfigured OPENAI_API_KEY"],
  "a place where Gemini may not be used": [400, [{
    error: { code: 400, status: "FAILED_PRECONDITION", message: "User location is not supported for the API use." },
  }], "misconfigured OPENAI_API_KEY"],
  "LiteLLM's empty budget": [400, {
    error: { code: "400", type: "budget_exceeded", message: "Budget has been exceeded! Max budget: 0.5" },
  }, "misconfigured OPENAI_API_KEY"],
  "DashScope's empty account": [400, {
    error: { code: "Arrearage", message: "Access denied, please make sure your account is in good standing." },
  }, "misconfigured OPENAI_API_KEY"],
  "Groq's closed account": [400, {
    error: { code: "organization_restricted", message: "Organization has been restricted." },
  }, "misconfigured OPENAI_API_KEY"],
  "Mistral's wrong key": [401, { detail: "Unauthorized" }, "misconfigured OPENAI_API_KEY"],
  "Ollama's unknown model": [404, {
    error: { message: 'model "llama3.2:1b" not found, try pulling it first' },
  }, "misconfigured OPENAI_MODEL"],
  "vLLM's unknown model": [404, {
    object: "error",
    message: "The model `Qwen/Qwen2.5-7B` does not exist.",
  }, "misconfigured OPENAI_MODEL"],
  "Gemini's unknown model": [404, [{
    error: { code: 404, message: "models/gemini-9 is not found for API version v1main" },
  }], "misconfigured OPENAI_MODEL"],
  "Anthropic's unknown model": [404, {
    error: { type: "not_found_error", message: "model: claude-9" },
  }, "misconfigured OPENAI_MODEL"],
  "DeepSeek's unknown model": [400, {
    error: { message: "The supported API model names are a or b, but you passed m.", code: "invalid_request_error" },
  }, "misconfigured OPENAI_MODEL"],
  "LiteLLM's unknown model": [400, {
    error: { code: "400", message: "/chat/completions: Invalid model name passed in model=m. Call `/v1/models`." },
  }, "misconfigured OPENAI_MODEL"],
  "Together's unknown model": [400, {
    error: { code: "model_not_available", message: "Unable to access non-serverless model m. Please visit us." },
  }, "misconfigured OPENAI_MODEL"],
  "Volcengine's model that nobody has activated": [404, {
    error: { code: "ModelNotOpen", message: "Your account has not activated the model m." },
  }, "misconfigured OPENAI_MODEL"],
  "Moonshot's unknown model": [404, {
    error: { type: "resource_not_found_error", message: "Not found the model m or Permission denied" },
  }, "misconfigured OPENAI_MODEL"],
  "a model of LiteLLM without a provider": [400, {
    error: { code: "400", message: "litellm.BadRequestError: LLM Provider NOT provided. You passed model=m" },
  }, "misconfigured OPENAI_MODEL"],
  "a model of Groq whose terms nobody has accepted": [400, {
    error: { code: "model_terms_required", message: "The model `m` requires terms acceptance." },
  }, "misconfigured OPENAI_MODEL"],
  "an older version of Azure's API": [400, {
    error: {
      code: "BadRequest",
      message: "Azure OpenAI Responses API is enabled only for api-version 2025-03-01-preview and later",
    },
  }, "misconfigured OPENAI_BASE_URL"],
  "a model of Azure without responses": [400, {
    error: {
      code: "OperationNotSupported",
      message: "The responses operation does not work with the specified model, m.",
    },
  }, "misconfigured OPENAI_BASE_URL"],
  "new-api in front of a server without responses": [500, {
    error: { code: "convert_request_failed", type: "new_api_error", message: "not implemented" },
  }, "misconfigured OPENAI_BASE_URL"],
  "an address that is to come": [501, { error: { message: "Not Implemented" } }, "misconfigured OPENAI_BASE_URL"],
  "an unknown address": [404, "404 page not found", "misconfigured OPENAI_BASE_URL"],

  "a broken gateway": [502, "<html><title>502 Bad Gateway</title></html>", "unavailable"],
  "nothing": [500, "", "unavailable"],
  "an error of null": [500, { error: null }, "unavailable"],
  "anything else": [400, { error: { code: null, param: null, message: "No" } }, "unavailable"],
};

Deno.test("classify, of replies", async (t) => {
  for (const [what, [status, body, meaning]] of Object.entries(replies)) {
    await t.step(what, async () => {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const failure = await failAt(() => new Response(text, { status }));
      const setting = settingOf(failure, { model: null });
      assertEquals([classify(failure), ...(setting ? [setting] : [])].join(" "), meaning, JSON.stringify(failure));
    });
  }
});

Deno.test("classify, of errors in a stream", async (t) => {
  const errors: Record<string, [error: unknown, kind: string]> = {
    "OpenRouter's limit": [{ code: 429, message: "Provider returned error" }, "busy"],
    "OpenRouter's provider": [{ code: 502, message: "Provider returned error" }, "unavailable"],
    "LiteLLM's limit": [{ code: "429", message: "litellm.RateLimitError: OpenAIException - Wait" }, "busy"],
    "LiteLLM's wrong key": [{ code: "401", type: "None", message: "litellm.AuthenticationError: No" }, "misconfigured"],
    "a guardrail": [{ code: "guardrail_intervened" }, "refused"],
    "LiteLLM's guardrail": [{ code: "400", message: "Violated guardrail policy" }, "refused"],
    "a sentence about load": ["The server is overloaded", "busy"],
    "a sentence about length": ["Context size has been exceeded.", "too_long"],
    "a filter": [{ code: "content_filter" }, "refused"],
    "MiniMax's limit": [{ status_code: 1002, status_msg: "rate limit exceeded(RPM)" }, "busy"],
    "MiniMax's filter": [{ status_code: 1027, status_msg: "output new_sensitive" }, "refused"],
    "MiniMax's wrong key": [{ status_code: 1004, status_msg: "login fail: Please carry the key" }, "misconfigured"],
    "MiniMax's empty account": [{ status_code: 1008, status_msg: "insufficient balance" }, "misconfigured"],
    "Cloudflare's limit": [[{ code: 3040, message: "Capacity temporarily exceeded, please try again." }], "busy"],
    "Zhipu's limit": [{ code: 1302, msg: "Rate limit reached" }, "busy"],
    "Gemini's other filters": [{ code: "SPII" }, "refused"],
    "nothing": [null, "unavailable"],
    "a number": [7, "unavailable"],
  };
  for (const [what, [error, kind]] of Object.entries(errors)) {
    await t.step(what, () => assertEquals(classify(readReport(error)), kind));
  }
});

Deno.test("a place that is only Python's None is none", () => {
  assertEquals(readReport({ code: null, type: "None", param: "None", message: "The stream broke" }).param, null);
});

Deno.test("of an endless reply of an error status only the beginning is read", async () => {
  let pieces = 0;
  const failure = await failAt(() =>
    new Response(
      new ReadableStream({
        pull(controller) {
          pieces++;
          controller.enqueue(new Uint8Array(1024 * 1024).fill("x".charCodeAt(0)));
        },
      }),
      { status: 500 },
    )
  );
  assertEquals(failure.message.length, 64 * 1024);
  assert(pieces < 100, String(pieces));
});

Deno.test("readFailure", async (t) => {
  const wait = (headers: Record<string, string>) =>
    failAt(() => new Response(null, { status: 429, headers })).then(({ retryAfter }) => retryAfter);
  await t.step("Retry-After in seconds", async () => assertEquals(await wait({ "Retry-After": "20" }), 20));
  await t.step("in milliseconds", async () => assertEquals(await wait({ "retry-after-ms": "1500" }), 1.5));
  await t.step("of the past", async () => assertEquals(await wait({ "Retry-After": new Date(0).toUTCString() }), 0));
  await t.step("that says nothing", async () => assertEquals(await wait({ "Retry-After": "" }), null));
  await t.step("that is no time", async () => assertEquals(await wait({ "Retry-After": "soon" }), null));
  await t.step("no reply at all", async () => {
    assertEquals(await failWithServer("http://127.0.0.1:9"), { ...failWith(""), isUnreachable: true });
  });
  await t.step("an error of our own is no failure of the model", () => {
    assertEquals(readFailure(new TypeError("Not a function")), null);
  });
});

Deno.test("settingOf names where an unknown model is set", () => {
  const failure = { ...failWith("model_not_found"), status: 404 };
  assertEquals(settingOf(failure, { model: null }), "OPENAI_MODEL");
  assertEquals(settingOf(failure, { model: "m" }), "coach_profiles.model");
  assertEquals(settingOf(failure, { model: "m", modelSetting: "OPENAI_VISION_MODEL" }), "OPENAI_VISION_MODEL");
});
