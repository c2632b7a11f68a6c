import { assertEquals, assertObjectMatch } from "../../support/assert.ts";
import { createCompletionEvents, formatChunk } from "../../support/completion_events.ts";
import { createResponseEvents, defaultUsage, type StreamEvent } from "../../support/response_events.ts";

const request = { model: "any", instructions: "Be brief." };
const call = { id: "call_1", name: "look_up", arguments: { word: "tea" } };

const messageBegins = ["response.output_item.added", "response.content_part.added"];
const messageEnds = ["response.output_text.done", "response.content_part.done", "response.output_item.done"];
const wholeCall = [
  "response.output_item.added",
  "response.function_call_arguments.delta",
  "response.function_call_arguments.done",
  "response.output_item.done",
];
const wholeReasoning = [
  "response.output_item.added",
  "response.reasoning_summary_part.added",
  "response.reasoning_summary_text.delta",
  "response.reasoning_summary_text.done",
  "response.reasoning_summary_part.done",
  "response.output_item.done",
];
const delta = "response.output_text.delta";

type Events = ReturnType<typeof createResponseEvents>;
const cases: [name: string, made: (events: Events) => StreamEvent[], types: string[], output: unknown[]][] = [
  [
    "a text in two pieces",
    (events) => [...events.addText("Hel"), ...events.addText("lo")],
    [...messageBegins, delta, delta, ...messageEnds],
    [{ type: "message", content: [{ type: "output_text", text: "Hello" }] }],
  ],
  [
    "a call after a text",
    (events) => [...events.addText("Wait."), ...events.addCall(call)],
    [...messageBegins, delta, ...messageEnds, ...wholeCall],
    [{ type: "message" }, { type: "function_call", call_id: "call_1", name: "look_up", arguments: '{"word":"tea"}' }],
  ],
  [
    "a text after a call",
    (events) => [...events.addCall(call), ...events.addText("Well.")],
    [...wholeCall, ...messageBegins, delta, ...messageEnds],
    [{ type: "function_call" }, { type: "message" }],
  ],
  [
    "a reasoning, a commentary and a text in two pieces",
    (events) => [
      ...events.addReasoning("Hm."),
      ...events.addMessage("Wait.", "commentary"),
      ...events.addMessage("Hel", "final_answer"),
      ...events.addText("lo"),
    ],
    [...wholeReasoning, ...messageBegins, delta, ...messageEnds, ...messageBegins, delta, delta, ...messageEnds],
    [
      { type: "reasoning", summary: [{ text: "Hm." }] },
      { type: "message", phase: "commentary", content: [{ text: "Wait." }] },
      { type: "message", phase: "final_answer", content: [{ text: "Hello" }] },
    ],
  ],
];

Deno.test("the scripted model's events come in the order of the real API", async (t) => {
  for (const [name, made, types, output] of cases) {
    await t.step(name, () => {
      const events = createResponseEvents(request, "resp_1");
      const [created, ...all] = [...events.begin(), ...made(events), ...events.complete()];
      const shown = all.map(({ type }) => type);
      assertEquals(shown, ["response.in_progress", ...types, "response.completed"]);
      assertObjectMatch(created!, { response: { id: "resp_1", status: "in_progress", output: [], usage: null } });
      assertObjectMatch(all.at(-1)!, { response: { id: "resp_1", status: "completed", output, usage: defaultUsage } });
    });
  }
});

Deno.test("the chunks of a chat completion come in the order of the real API", () => {
  const events = createCompletionEvents({ model: "any" }, "chatcmpl_1");
  const chunks = [
    ...events.begin(),
    ...events.addReasoning("Hm."),
    ...events.addText("Hello"),
    ...events.addCall(call),
    ...events.complete({ input_tokens: 2, output_tokens: 3 }),
  ];
  const written = chunks.map(formatChunk).join("");
  const lines = written.trimEnd().split("\n\n").map((line) => line.replace("data: ", ""));
  assertEquals(lines.pop(), "[DONE]");
  const shown = lines.map((line) => JSON.parse(line)).map(({ choices: [choice], usage }) =>
    usage ?? choice.finish_reason ?? Object.keys(choice.delta).at(-1)
  );
  const usage = { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 };
  assertEquals(shown, ["content", "reasoning_content", "content", "tool_calls", "tool_calls", "tool_calls", usage]);
  assertObjectMatch(events.describe(), {
    choices: [{ message: { content: "Hello", tool_calls: [{ function: { arguments: '{"word":"tea"}' } }] } }],
  });
});
