import { assertEquals } from "deno-std/assert/mod.js";
import { createEventReader, type ModelEvent } from "../../shared/llm/event_reader.ts";

const encoder = new TextEncoder();

function read(...chunks: (string | Uint8Array)[]): ModelEvent[] {
  const readBytes = createEventReader();
  return chunks.flatMap((chunk) => readBytes(typeof chunk === "string" ? encoder.encode(chunk) : chunk));
}

function frame(data: { type: string; [field: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function delta(text: string): string {
  return frame({
    type: "response.output_text.delta",
    item_id: "msg_1",
    output_index: 0,
    content_index: 0,
    delta: text,
  });
}

const usage = { input_tokens: 11, output_tokens: 7, total_tokens: 18 };
const created = frame({ type: "response.created", response: { id: "resp_1", status: "in_progress", output: [] } });
const completed = frame({ type: "response.completed", response: { id: "resp_1", status: "completed", usage } });
const ended: ModelEvent = { type: "ended", usage: { inputTokens: 11, outputTokens: 7 } };

const callItem = {
  id: "fc_1",
  type: "function_call",
  status: "completed",
  call_id: "call_1",
  name: "create_knowledge",
  arguments: '{"text":"Tea"}',
};

const whole = [
  created,
  frame({ type: "response.output_item.added", output_index: 0, item: { type: "message", content: [] } }),
  delta("Grüße"),
  delta(" 😀\n"),
  delta("\ud83d"),
  delta("\ude00!"),
  frame({ type: "response.output_text.done", text: "…" }),
  completed,
].join("");
const wholeEvents: ModelEvent[] = [
  { type: "created", responseId: "resp_1" },
  { type: "text", text: "Grüße" },
  { type: "text", text: " 😀\n" },
  { type: "text", text: "😀!" },
  ended,
];

/** A stream in one piece, and the events that must be read from it. */
const cases: Record<string, { stream: string; events: ModelEvent[] }> = {
  "a whole reply": { stream: whole, events: wholeEvents },
  "line ends may be CRLF": { stream: whole.replaceAll("\n", "\r\n"), events: wholeEvents },
  "line ends may be CR": { stream: whole.replaceAll("\n", "\r"), events: wholeEvents },
  "event lines may be missing": { stream: whole.replaceAll(/^event: .*\n/gm, ""), events: wholeEvents },
  "the event line may follow the data": {
    stream: whole.replaceAll(/^(event: .*\n)(data: .*\n)/gm, "$2$1"),
    events: wholeEvents,
  },
  "the space after the colon may be missing": {
    stream: whole.replaceAll(/^(event|data): /gm, "$1:"),
    events: wholeEvents,
  },
  "comments, ids and retry times are skipped": {
    stream: `: hi\n\n${whole.replaceAll(/^data/gm, ": keep-alive\nid: 1\nretry: 5\ndata")}`,
    events: wholeEvents,
  },
  "data on several lines is joined": {
    stream: 'event: response.output_text.delta\ndata: {"delta":\ndata: "a"}\n\n',
    events: [{ type: "text", text: "a" }],
  },
  "an unfinished event is not read": { stream: delta("a").slice(0, -1), events: [] },
  "an unknown event is not parsed": {
    stream: `event: response.later.invention\ndata: {not json\n\n${delta("a")}`,
    events: [{ type: "text", text: "a" }],
  },
  "data that is not an object is skipped": {
    stream: `${delta("a")}data: [DONE]\n\ndata: ping\n\n`,
    events: [{ type: "text", text: "a" }],
  },
  "a response without an id is skipped": { stream: frame({ type: "response.created", response: {} }), events: [] },
  "a refusal is read as text": {
    stream: frame({ type: "response.refusal.delta", delta: "No." }),
    events: [{ type: "text", text: "No." }],
  },
  "an empty delta is skipped": { stream: delta(""), events: [] },
  "text that the cleaner holds back comes before the end": {
    stream: delta("a\r") + completed,
    events: [{ type: "text", text: "a" }, { type: "text", text: "\n" }, ended],
  },
  "a call, after the signs of life before it": {
    stream: [
      frame({ type: "response.output_item.added", item: { ...callItem, arguments: "" } }),
      frame({ type: "response.function_call_arguments.delta", delta: '{"text"' }),
      frame({ type: "response.function_call_arguments.done", arguments: callItem.arguments }),
      frame({ type: "response.output_item.done", item: callItem }),
      completed,
    ].join(""),
    events: [
      { type: "calling" },
      { type: "call", call: { id: "call_1", name: "create_knowledge", arguments: '{"text":"Tea"}' } },
      ended,
    ],
  },
  "the whole text that follows its deltas is not read again, whatever it contains": {
    stream: frame({
      type: "response.output_item.done",
      item: { type: "message", content: [{ type: "output_text", text: 'A "function_call"' }] },
    }),
    events: [],
  },
  "an item of another type that mentions calls is not a call": {
    stream: frame({ type: "response.output_item.done", item: { type: "reasoning", summary: ["function_call"] } }),
    events: [],
  },
  "a reply cut at its token limit has ended": {
    stream: frame({
      type: "response.incomplete",
      response: { incomplete_details: { reason: "max_output_tokens" }, usage },
    }),
    events: [ended],
  },
  "an end without usage": {
    stream: frame({ type: "response.completed", response: { usage: null } }),
    events: [{ type: "ended", usage: null }],
  },
  "an end with incomplete usage has no usage": {
    stream: frame({ type: "response.completed", response: { usage: { input_tokens: 11 } } }),
    events: [{ type: "ended", usage: null }],
  },
  "a failed response names its code": {
    stream: frame({ type: "response.failed", response: { id: "resp_1", error: { code: "server_error" } } }),
    events: [{ type: "failed", reason: "server_error" }],
  },
  "a failed response without an error": {
    stream: frame({ type: "response.failed", response: { error: null } }),
    events: [{ type: "failed", reason: "unknown" }],
  },
  "an error names its code": {
    stream: frame({ type: "error", code: "rate_limit_exceeded", message: "Slow down", param: null }),
    events: [{ type: "failed", reason: "rate_limit_exceeded" }],
  },
  "an error without a code": {
    stream: frame({ type: "error", code: null, message: "Oops" }),
    events: [{ type: "failed", reason: "unknown" }],
  },
};

Deno.test("createEventReader", async (t) => {
  for (const [promise, { stream, events }] of Object.entries(cases)) {
    await t.step(promise, () => assertEquals(read(stream), events));
  }

  await t.step("an event split at any byte is read the same", () => {
    for (const stream of [whole, whole.replaceAll("\n", "\r\n")]) {
      const bytes = encoder.encode(stream);
      for (let at = 0; at <= bytes.length; at++) {
        assertEquals(read(bytes.subarray(0, at), bytes.subarray(at)), wholeEvents, `split at byte ${at}`);
      }
      assertEquals(read(...Array.from(bytes, (byte) => Uint8Array.of(byte))), wholeEvents);
    }
  });

  await t.step("an event is returned as soon as its last byte arrives", () => {
    const readBytes = createEventReader();
    assertEquals(readBytes(encoder.encode(delta("a").slice(0, -1))), []);
    assertEquals(readBytes(encoder.encode("\n" + delta("b"))), [{ type: "text", text: "a" }, {
      type: "text",
      text: "b",
    }]);
    assertEquals(readBytes(new Uint8Array()), []);
  });

  const broken: Record<string, string> = {
    "a text event that is not JSON": "event: response.output_text.delta\ndata: {not json\n\n",
    "a text event without text": frame({ type: "response.output_text.delta", delta: 1 }),
    "a call without arguments": frame({
      type: "response.output_item.done",
      item: { ...callItem, arguments: undefined },
    }),
    "a call that is not JSON": 'event: response.output_item.done\ndata: {"type": "function_call"\n\n',
    "an end that is not JSON": "event: response.completed\ndata: {\n\n",
    "an object without event line that is not JSON": "data: {not json\n\n",
  };
  for (const [what, stream] of Object.entries(broken)) {
    await t.step(`${what} is an error, after the good text before it`, () => {
      assertEquals(read(delta("good") + stream), [
        { type: "text", text: "good" },
        { type: "failed", reason: "malformed_event" },
      ]);
    });
  }

  await t.step("the code of an error may be nested", () => {
    const error = { type: "too_many_requests", code: "too_many_requests", message: "Too Many Requests" };
    assertEquals(read(frame({ type: "error", sequence_number: 2, error })), [
      { type: "failed", reason: "too_many_requests" },
    ]);
  });
});
