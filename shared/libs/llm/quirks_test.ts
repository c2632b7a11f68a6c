import { failWith } from "./failure.ts";
import { adapt, noQuirks, parts, type Quirks } from "./quirks.ts";
import type { ReportedFailure } from "./model_event.ts";
import { assertEquals } from "../../../tests/support/assert.ts";

function changeOf(failure: Partial<ReportedFailure>, tried: Quirks[] = [noQuirks], hasAssistant = true) {
  const sent = { parts: parts.filter((part) => !tried.at(-1)!.leftOut.has(part)), hasAssistant };
  return adapt({ ...failWith(""), status: 400, ...failure }, sent, tried)?.change ?? null;
}

const refusals: Record<string, [failure: Partial<ReportedFailure>, change: string | null]> = {
  "a parameter": [{ param: "temperature", message: "Unsupported" }, "temperature"],
  "a parameter within a part": [{ param: "reasoning.effort" }, "reasoning"],
  "verbosity within text": [{ param: "text" }, "verbosity"],
  "a phase within an item": [{ param: "input[3].phase" }, "phase"],
  "thoughts that came with a call": [{ param: "messages.2.reasoning_content", message: "Extra inputs" }, "kept"],
  "a sentence": [{ message: "property 'safety_identifier' is unsupported" }, "safety_identifier"],
  "FastAPI's path": [{ status: 422, message: '[{"loc":["body","store"],"msg":"Extra inputs"}]' }, "store"],
  "xAI's spelling": [{ message: "Model grok-4 does not support parameter reasoningEffort." }, "reasoning"],
  "Ollama's word for reasoning": [{ message: '"llama3.2" does not support thinking' }, "reasoning"],
  "vLLM without tools": [
    { message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set' },
    "tools",
  ],
  "llama.cpp without a template for tools": [
    { status: 500, code: "500 server_error", message: "tools param requires --jinja flag" },
    "tools",
  ],
  "llama.cpp before it knew tools": [{ status: 500, message: "Unsupported param: tools" }, "tools"],
  "a model that may not be kept from its tools": [
    { param: "tool_choice", message: "Only 'auto' is supported as tool_choice, got tools and 'none'" },
    "tool_choice",
  ],
  "OpenRouter without tools": [
    { status: 404, message: "No endpoints found that support tool use." },
    "tools",
  ],
  "an organisation that may not stream": [{ param: "stream", code: "unsupported_value" }, "stream"],
  "an error in a stream": [{ status: null, code: "unsupported_parameter", param: "temperature" }, "temperature"],
  "the type of an item": [{ param: "input[1]", message: "Invalid value" }, "type"],
  "a model without a role for instructions": [
    {
      param: "messages[0].role",
      code: "unsupported_value",
      message: "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    },
    "system",
  ],
  "a template without that role": [{ status: 500, message: "Jinja Exception: System role not supported" }, "system"],
  "Gemma behind Gemini's API": [
    { message: "Developer instruction is not enabled for models/gemma-3-27b-it" },
    "system",
  ],
  "texts as lists": [{ message: "input[1].content must hold output_text" }, "content"],

  "what the request repeats": [
    { message: "content: Field required [input_value={'content': 'the temperature'}]" },
    "type",
  ],
  "a refused prompt that links to a page on reasoning": [
    { code: "invalid_prompt", message: "It was flagged, see /guides/reasoning#advice" },
    null,
  ],
  "Azure's filter": [{ code: "content_filter", param: "prompt", message: "Modify your prompt, its content" }, null],
  "a wrong key": [{ message: "API key not valid. Please pass a valid API key, of type AIza." }, null],
  "an unknown model": [{ param: "model", message: "The model reasoning-1 does not exist" }, null],
  "too long": [{ code: "context_length_exceeded", param: "input", message: "Shorten the input, or the tools" }, null],
  "a model that wrote a call which Groq cannot read": [
    { code: "invalid_request_error tool_use_failed", message: "Failed to call a function. Please adjust your prompt." },
    null,
  ],
  "the same in a stream": [{ status: null, code: "tool_use_failed", message: "Failed to call a function" }, null],
  "a system that fails": [{ message: "The system could not read the request" }, null],
  "busy": [{ status: 429, message: "Slow down your stream of requests" }, null],
  "a server that fails": [{ status: 500, message: "temperature" }, null],
  "a server that fails at its tools": [{ status: 500, message: "The tools service is down" }, null],
  "an error in a stream about something else": [{ status: null, code: "server_error", message: "stream" }, null],
  "no reply": [{ status: null, isUnreachable: true, message: "stream" }, null],
};

Deno.test("adapt", async (t) => {
  for (const [what, [failure, change]] of Object.entries(refusals)) {
    await t.step(what, () => assertEquals(changeOf(failure), change));
  }

  await t.step("each form of items is tried once", () => {
    const failure = { param: "input[1].type" };
    const tried = (["typed", "untyped", "listed"] as const).map((itemForm) => ({ ...noQuirks, itemForm }));
    assertEquals([1, 2, 3].map((count) => changeOf(failure, tried.slice(0, count))), ["type", "content", null]);
  });

  await t.step("the form of items is no matter where the assistant has said nothing", () => {
    assertEquals(changeOf({ param: "input[0].type" }, [noQuirks], false), null);
  });

  await t.step("what is left out already is not left out again", () => {
    const tried = [noQuirks, { ...noQuirks, leftOut: new Set(["temperature" as const]) }];
    assertEquals(changeOf({ param: "temperature" }, tried, false), null);
  });
});
