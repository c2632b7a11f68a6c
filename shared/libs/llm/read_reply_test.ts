import { chatCompletionsApi } from "./chat_completions_api.ts";
import { failWith } from "./failure.ts";
import type { ModelApi } from "./model_api.ts";
import type { ModelEvent } from "./model_event.ts";
import { createEventParser, openReply } from "./read_reply.ts";
import { responsesApi } from "./responses_api.ts";
import { assert, assertEquals } from "../../../tests/support/assert.ts";

const encoder = new TextEncoder();

/** The events of a reply that has not ended, without signs of life and beginnings of messages. */
function read(...chunks: (string | Uint8Array)[]): ModelEvent[] {
  const { feed } = createEventParser(responsesApi, "m");
  return chunks.flatMap((chunk) => feed(typeof chunk === "string" ? encoder.encode(chunk) : chunk))
    .filter(({ type }) => type !== "alive" && type !== "message");
}

/** A summary of a whole reply: its texts, calls and end. */
function readWhole(api: ModelApi, reply: string): string {
  const { feed, end } = createEventParser(api, "m");
  const events = [...feed(encoder.encode(reply)), ...end()];
  return events.map((event) => {
    switch (event.type) {
      case "message":
        return `<${event.phase ?? ""}>`;
      case "text":
        return event.text;
      case "call":
        return `${event.call.name}(${event.call.arguments})`;
      case "failed":
        return `failed: ${event.failure.code}`;
      case "ended":
        return event.usage === null ? "|" : `| ${event.usage.freshInput}+${event.usage.visibleOutput}`;
      default:
        return "";
    }
  }).join("");
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
const ended: ModelEvent = { type: "ended", usage: { freshInput: 11, cachedInput: 0, visibleOutput: 7, reasoning: 0 } };

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
    stream: `${delta("a")}data: ping\n\n`,
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
  "a call, whose pieces before it are only signs of life": {
    stream: [
      frame({ type: "response.output_item.added", item: { ...callItem, arguments: "" } }),
      frame({ type: "response.function_call_arguments.delta", delta: '{"text"' }),
      frame({ type: "response.function_call_arguments.done", arguments: callItem.arguments }),
      frame({ type: "response.output_item.done", item: callItem }),
      completed,
    ].join(""),
    events: [
      { type: "call", call: { id: "call_1", name: "create_knowledge", arguments: '{"text":"Tea"}' } },
      ended,
    ],
  },
  "the whole text that follows its deltas is not read again, whatever it contains": {
    stream: delta("A") + frame({
      type: "response.output_item.done",
      item: { type: "message", content: [{ type: "output_text", text: 'A "function_call"' }] },
    }),
    events: [{ type: "text", text: "A" }],
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
    events: [{ ...ended, isCut: true }],
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
    events: [{ type: "failed", failure: failWith("server_error") }],
  },
  "a failed response without an error": {
    stream: frame({ type: "response.failed", response: { error: null } }),
    events: [{ type: "failed", failure: failWith("failed") }],
  },
  "an error names its code": {
    stream: frame({ type: "error", code: "rate_limit_exceeded", message: "Slow down", param: null }),
    events: [{ type: "failed", failure: { ...failWith("rate_limit_exceeded"), message: "Slow down" } }],
  },
  "an error without a code": {
    stream: frame({ type: "error", code: null, message: "Oops" }),
    events: [{ type: "failed", failure: { ...failWith(""), message: "Oops" } }],
  },
};

Deno.test("createEventParser", async (t) => {
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
    const { feed } = createEventParser(responsesApi, "m");
    assertEquals(feed(encoder.encode(delta("a").slice(0, -1))), []);
    assertEquals(feed(encoder.encode("\n" + delta("b"))), [
      { type: "message", phase: null },
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]);
    assertEquals(feed(new Uint8Array()), []);
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
        { type: "failed", failure: failWith("malformed_event") },
      ]);
    });
  }

  await t.step("the code of an error may be nested", () => {
    const error = { type: "too_many_requests", code: "429", message: "Too Many Requests" };
    assertEquals(read(frame({ type: "error", sequence_number: 2, error })), [
      { type: "failed", failure: { ...failWith("429 too_many_requests"), status: 429, message: "Too Many Requests" } },
    ]);
  });

  await t.step("events of no interest are one sign of life a piece, comments none", () => {
    const { feed } = createEventParser(responsesApi, "m");
    const news = frame({ type: "response.in_progress" });
    assertEquals(feed(encoder.encode(news + news)), [{ type: "alive" }]);
    assertEquals(feed(encoder.encode(": keep-alive\n\n")), []);
  });

  await t.step("thoughts are told apart from the text, wherever they come, so that they can be counted", () => {
    const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
    const streams: [ModelApi, string][] = [
      [responsesApi, frame({ type: "response.reasoning_summary_text.delta", delta: "Hm" })],
      [responsesApi, frame({ type: "response.reasoning_text.delta", delta: "Hm" })],
      [chatCompletionsApi, chunk({ reasoning_content: "Hm" })],
      [chatCompletionsApi, chunk({ reasoning: "Hm" })],
      [chatCompletionsApi, chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm" }] }] })],
      [
        chatCompletionsApi,
        chunk({ content: [{ type: "reasoning", summary: [{ type: "summary_text", text: "Hm" }] }] }),
      ],
      [chatCompletionsApi, chunk({ content: "<think>" }) + chunk({ content: "Hm" })],
      [responsesApi, frame({ type: "response.output_text.delta", delta: "<think>Hm" })],
    ];
    for (const [api, stream] of streams) {
      const events = createEventParser(api, "m").feed(encoder.encode(stream));
      assertEquals(events.filter(({ type }) => type === "text"), [], stream);
      assert(events.some((event) => event.type === "thought" && event.text.endsWith("Hm")), stream);
    }
  });

  await t.step("a line without an end fails when it is 16 MB long", () => {
    const { feed } = createEventParser(responsesApi, "m");
    const piece = encoder.encode("data: " + "x".repeat(1024 * 1024));
    const events = Array.from({ length: 16 }, () => feed(piece)).flat();
    assertEquals(events, [{ type: "failed", failure: failWith("event_too_large") }]);
  });
});

const item = (fields: object) => ({ id: "msg_1", type: "message", role: "assistant", status: "completed", ...fields });
const content = (text: string) => [{ type: "output_text", text, annotations: [] }];
const begin = (fields: object = {}) => frame({ type: "response.output_item.added", item: item(fields) });
const finish = (text: string, fields: object = {}) =>
  frame({ type: "response.output_item.done", item: item({ content: content(text), ...fields }) });
const say = (text: string, index = 0) =>
  frame({ type: "response.output_text.delta", output_index: index, delta: text });
const response = { id: "resp_1", object: "response", status: "completed", error: null, usage };

const beginAt = (index: number, fields: object = {}) =>
  frame({ type: "response.output_item.added", output_index: index, item: item(fields) });
const finishAt = (index: number, text: string) =>
  frame({ type: "response.output_item.done", output_index: index, item: item({ content: content(text) }) });

const endings: Record<string, [reply: string, read: string]> = {
  "a response that is done": [
    say("Hi") + frame({ type: "response.done", response: { status: "completed", usage } }),
    "<>Hi| 11+7",
  ],
  "a response that is done, and says nothing of itself": [say("Hi") + frame({ type: "response.done" }), "<>Hi|"],
  "a response that is done and has failed": [
    say("Hi") + frame({ type: "response.done", response: { status: "failed", error: { code: "server_error" } } }),
    "<>Hifailed: server_error",
  ],
  "no end, but all items are done": [begin() + say("Hi") + finish("Hi"), "<>Hi|"],
  "no end, and an item is open": [
    begin() + say("Hi") + finish("Hi") + begin() + say("More", 1),
    "<>Hi<>Morefailed: stream_cut",
  ],
  "no end, and an item was cut": [
    begin() + say("Hi") + finish("Hi", { status: "incomplete" }),
    "<>Hifailed: stream_cut",
  ],
  "no end after a commentary": [
    begin({ phase: "commentary" }) + say("Let me see") + finish("Let me see", { phase: "commentary" }),
    "<commentary>Let me seefailed: stream_cut",
  ],
  "no end after a call": [
    frame({ type: "response.output_item.done", item: callItem }),
    'create_knowledge({"text":"Tea"})|',
  ],
  "no end, no items, but the text is done": [
    say("Hi") + frame({ type: "response.output_text.done", text: "Hi" }),
    "<>Hi|",
  ],
  "no end, no items, and the text is open": [say("Hi"), "<>Hifailed: stream_cut"],
  "nothing": ["", "failed: stream_cut"],
  "[DONE] after all items": [begin() + say("Hi") + finish("Hi") + "data: [DONE]\n\n", "<>Hi|"],
  "[DONE] after the end": [say("Hi") + completed + "data: [DONE]\n\n", "<>Hi| 11+7"],
  "an end without its empty line": [say("Hi") + completed.trimEnd(), "<>Hi| 11+7"],
  "an end that is cut after all items": [begin() + say("Hi") + finish("Hi") + completed.slice(0, 60), "<>Hi|"],
  "an item that is cut after all items": [
    begin() + say("Hi") + finish("Hi") + begin().slice(0, -30),
    "<>Hifailed: stream_cut",
  ],
  "the end of an item that is cut": [begin() + say("Hi") + finish("Hi").slice(0, -30), "<>Hifailed: stream_cut"],
  "the end of an item that is cut before its data": [
    begin() + say("Hi") + "event: response.output_item.done\ndata",
    "<>Hifailed: stream_cut",
  ],
  "the name of an event that is cut after all items": [
    begin() + say("Hi") + finish("Hi") + "event: response.outp",
    "<>Hifailed: stream_cut",
  ],
  "a delta that is cut": [begin() + say("Hi") + say("there").slice(0, -8), "<>Hifailed: stream_cut"],
  "the text only when it is done": [
    begin() + frame({ type: "response.output_text.done", text: "Hi" }) + finish("Hi") + completed,
    "<>Hi| 11+7",
  ],
  "the text only in its part": [
    frame({ type: "response.content_part.done", part: content("Hi")[0] }) + completed,
    "<>Hi| 11+7",
  ],
  "the text only in its item": [begin() + finish("Hi") + completed, "<>Hi| 11+7"],
  "the text and a call only at the end": [
    created +
    frame({
      type: "response.completed",
      response: { ...response, output: [item({ content: content("Hi") }), callItem] },
    }),
    '<>Hicreate_knowledge({"text":"Tea"})| 11+7',
  ],
  "a completed response with an empty error": [
    say("Hi") + frame({ type: "response.completed", response: { ...response, error: {} } }),
    "<>Hi| 11+7",
  ],
  "the end repeats what was said": [
    say("Hi") +
    frame({ type: "response.completed", response: { ...response, output: [item({ content: content("Hi") })] } }),
    "<>Hi| 11+7",
  ],
  "a refusal only when it is done": [
    frame({ type: "response.refusal.done", refusal: "No." }) + completed,
    "<>No.| 11+7",
  ],
  "events of the name message": [
    (begin() + say("Hi") + completed).replaceAll(/^event: .*$/gm, "event: message"),
    "<>Hi| 11+7",
  ],
  "two messages": [
    begin() + say("One") + finish("One") + begin() + say("Two", 1) + finish("Two") + completed,
    "<>One<>Two| 11+7",
  ],
  "two messages without items": [say("One") + say("Two", 1) + completed, "<>One<>Two| 11+7"],
  "two messages only in their items": [
    begin() + finish("One") + begin() + finish("Two") + completed,
    "<>One<>Two| 11+7",
  ],
  "phases": [
    begin({ phase: "commentary" }) + say("Hm") + finish("Hm") + begin({ phase: "final_answer" }) + say("Yes", 1) +
    completed,
    "<commentary>Hm<final_answer>Yes| 11+7",
  ],
  "a phase of the future": [begin({ phase: "epilogue" }) + say("Hm") + completed, "<>Hm| 11+7"],
  "one object": [JSON.stringify({ ...response, output: [item({ content: content("Hi") })] }), "<>Hi| 11+7"],
  "one object after white space": [
    `\n ${JSON.stringify({ ...response, output: [item({ content: content("Hi") })] })}`,
    "<>Hi| 11+7",
  ],
  "one object that is cut": [JSON.stringify(response).slice(0, -1), "failed: stream_cut"],
  "one object that is an error": ['{"error": "Unexpected endpoint"}', "failed: "],
  "a filter in the middle": [
    say("Hi") + frame({ type: "response.incomplete", response: { incomplete_details: { reason: "content_filter" } } }),
    "<>Hifailed: content_filter",
  ],
  "a call that ends before the message": [
    beginAt(0) + say("Hi") + beginAt(1, callItem) +
    frame({ type: "response.output_item.done", output_index: 1, item: callItem }) +
    frame({ type: "response.output_text.done", text: "Hi" }) + finishAt(0, "Hi") + completed,
    '<>Hicreate_knowledge({"text":"Tea"})| 11+7',
  ],
  "a call of SGLang's router, whose item does not end, with nothing at the end": [
    beginAt(0, { ...callItem, arguments: "" }) +
    frame({ type: "response.function_call_arguments.delta", output_index: 0, item_id: "fc_1", delta: "{" }) +
    frame({ type: "response.function_call_arguments.done", output_index: 0, item_id: "fc_1", arguments: "{}" }) +
    frame({ type: "response.completed", response: { ...response, output: [item({ content: content("") })] } }),
    "create_knowledge({})| 11+7",
  ],
  "a call whose item does not end, and which the end repeats": [
    beginAt(0, { ...callItem, arguments: "" }) +
    frame({ type: "response.function_call_arguments.done", item_id: "fc_1", arguments: callItem.arguments }) +
    frame({ type: "response.completed", response: { ...response, output: [callItem] } }),
    'create_knowledge({"text":"Tea"})| 11+7',
  ],
  "a call that has begun, and is not among the output": [
    beginAt(0, { ...callItem, arguments: "" }) + say("Hi", 1) + completed,
    "<>Hi| 11+7",
  ],
  "a thought that ends in the middle of a text": [
    beginAt(0, { type: "reasoning" }) + beginAt(1) + say("H", 1) +
    frame({ type: "response.output_item.done", output_index: 0, item: { type: "reasoning", summary: [] } }) +
    say("i", 1) + finishAt(1, "Hi") + completed,
    "<>Hi| 11+7",
  ],
  "messages that all end at the end": [
    beginAt(0) + say("One") + beginAt(1) + say("Two", 1) + finishAt(0, "One") + finishAt(1, "Two") + completed,
    "<>One<>Two| 11+7",
  ],
  "ids that are new in each event, without positions": [
    begin() + frame({ type: "response.output_text.delta", item_id: "a", delta: "H" }) +
    frame({ type: "response.output_text.delta", item_id: "b", delta: "i" }) + finish("Hi", { id: "c" }) + completed,
    "<>Hi| 11+7",
  ],
  "a text whose end comes once more, after its message": [
    beginAt(0) + say("Hi") + finishAt(0, "Hi") +
    frame({ type: "response.output_text.done", output_index: 0, content_index: 0, text: "Hi" }) + completed,
    "<>Hi| 11+7",
  ],
  "two messages at one place, each only when it is done": [
    ["One", "Two"].map((text) =>
      beginAt(0) + frame({ type: "response.output_text.done", output_index: 0, content_index: 0, text }) +
      finishAt(0, text)
    ).join("") + completed,
    "<>One<>Two| 11+7",
  ],
  "two texts of a message, each only when it is done": [
    beginAt(0) +
    ["H", "i"].map((text, content_index) =>
      frame({ type: "response.output_text.done", output_index: 0, content_index, text }) +
      frame({ type: "response.content_part.done", output_index: 0, content_index, part: content(text)[0] })
    ).join("") + finishAt(0, "Hi") + completed,
    "<>Hi| 11+7",
  ],
  "a piece that is null": [
    begin() + frame({ type: "response.output_text.delta", output_index: 0, delta: null }) + say("Hi") + completed,
    "<>Hi| 11+7",
  ],
  "a message that is one text": [
    frame({ type: "response.output_item.done", item: { type: "message", role: "assistant", content: "Hi" } }) +
    completed,
    "<>Hi| 11+7",
  ],
  "a call without an id of its own, with an object": [
    frame({
      type: "response.output_item.done",
      item: { id: "fc_1", type: "function_call", name: "f", arguments: { x: 1 } },
    }) + completed,
    'f({"x":1})| 11+7',
  ],
  "other words for the end of the tokens": [
    say("Hi") + frame({ type: "response.incomplete", response: { incomplete_details: { reason: "length" } } }),
    "<>Hi|",
  ],
  "chat completions": [
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "Hi" } }] })}\n\n`,
    "failed: chat_completion",
  ],
  "one chat completion": ['{"choices":[{"message":{"content":"Hi"}}]}', "failed: chat_completion"],
  "an error that is a text": ["event: error\ndata: Internal Server Error\n\n", "failed: "],
  "an error that only calls itself one": [
    'data: {"object": "error", "type": "BadRequestError", "code": "bad", "message": "No"}\n\n',
    "failed: bad",
  ],
  "an error within an error": [frame({ type: "error", error: { error: { code: "busy" } } }), "failed: busy"],
  "one object that is no response": ['{"detail": "Not Found"}', "failed: "],
  "an error without a type": ['data: {"error": {"message": "Oops", "code": "busy"}}\n\n', "failed: busy"],
};

Deno.test("replies of the Responses API end in many ways", async (t) => {
  for (const [what, [reply, expected]] of Object.entries(endings)) {
    await t.step(what, () => assertEquals(readWhole(responsesApi, reply), expected));
  }
});

const choice = (index: number, delta: object, finish_reason: string | null = null) =>
  `data: ${
    JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index, delta, finish_reason }] })
  }\n\n`;
const chunk = (delta: object, finish_reason: string | null = null) => choice(0, delta, finish_reason);
const choices = (...places: [index: number, content: string][]) =>
  `data: ${JSON.stringify({ choices: places.map(([index, content]) => ({ index, delta: { content } })) })}\n\n`;
const counted = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } })}\n\n`;
const called = (index: number | null | undefined, fields: object) =>
  chunk({ tool_calls: [{ index, type: "function", ...fields }] });
const done = "data: [DONE]\n\n";

const completions: Record<string, [reply: string, read: string]> = {
  "parallel calls of Gemini, all at one position and without ids": [
    called(0, { id: "", function: { name: "f", arguments: '{"x":1}' } }) +
    called(0, { id: "", function: { name: "f", arguments: '{"x":2}' } }) + chunk({}, "tool_calls"),
    'f({"x":1})f({"x":2})|',
  ],
  "parallel calls at one position and with one id": [
    called(0, { id: "a", function: { name: "f", arguments: "{}" } }) +
    called(0, { id: "a", function: { name: "g", arguments: '{"x":2}' } }) + chunk({}, "tool_calls"),
    'f({})g({"x":2})|',
  ],
  "calls whose pieces take turns, told apart by their ids alone": [
    called(undefined, { id: "a", function: { name: "f", arguments: "" } }) +
    called(undefined, { id: "b", function: { name: "g", arguments: "" } }) +
    called(undefined, { id: "a", function: { arguments: "{}" } }) +
    called(undefined, { id: "b", function: { arguments: '{"x":1}' } }) + chunk({}, "tool_calls"),
    'f({})g({"x":1})|',
  ],
  "a call that repeats its id and name in each piece, without a position": [
    called(undefined, { id: "a", function: { name: "f", arguments: "" } }) +
    called(undefined, { id: "a", function: { name: "f", arguments: '{"x"' } }) +
    called(undefined, { id: "a", function: { name: "f", arguments: ":1}" } }) + chunk({}, "tool_calls"),
    'f({"x":1})|',
  ],
  "a call that LocalAI repeats at other positions": [
    called(0, { id: "a", function: { name: "f", arguments: "" } }) +
    called(1, { id: "a", function: { name: "f", arguments: "{}" } }) +
    called(2, { id: "a", function: { name: "f", arguments: "{}" } }) + chunk({}, "tool_calls"),
    "f({})|",
  ],
  "a call that repeats its name at its position": [
    called(0, { function: { name: "f", arguments: '{"x"' } }) +
    called(0, { function: { name: "f", arguments: ":1}" } }) +
    called(0, { function: { name: "f", arguments: "" } }) + chunk({}, "tool_calls"),
    'f({"x":1})|',
  ],
  "calls whose later pieces are at another position": [
    called(0, { id: "a", function: { name: "f", arguments: "{}" } }) +
    called(0, { id: "b", function: { name: "g", arguments: "{" } }) +
    called(1, { function: { arguments: "}" } }) + chunk({}, "tool_calls"),
    "f({})g({})|",
  ],
  "TGI's call, which is in no list": [
    chunk({ tool_calls: { index: 0, id: "", function: { name: "f", arguments: "{" } } }) +
    chunk({ tool_calls: { index: 0, id: "", function: { name: "", arguments: "}" } } }) + chunk({}, "eos_token"),
    "f({})|",
  ],
  "a call of the oldest API": [
    chunk({ content: null, function_call: { name: "f", arguments: "" } }) +
    chunk({ function_call: { arguments: '{"x"' } }) + chunk({ function_call: { arguments: ":1}" } }) +
    chunk({}, "function_call"),
    'f({"x":1})|',
  ],
  "a call whose name comes in pieces": [
    called(0, { id: "a", function: { name: "ask_", arguments: "" } }) +
    called(0, { function: { name: "expert", arguments: "" } }) + called(0, { function: { arguments: "{}" } }) +
    chunk({}, "tool_calls"),
    "ask_expert({})|",
  ],
  "a call that is longer than a tool could take": [
    called(0, { id: "a", function: { name: "f", arguments: `{"x":"` } }) +
    called(0, { function: { arguments: "x".repeat(1024 * 1024) } }) + chunk({}, "tool_calls"),
    "failed: malformed_event",
  ],
  "a call that comes with more than could be given back": [
    called(0, { id: "a", function: { name: "f", arguments: "{}" }, extra_content: "x".repeat(1024 * 1024) }) +
    chunk({}, "tool_calls"),
    "failed: malformed_event",
  ],
  "texts of the oldest API": [
    ["H", "i"].map((text) => `data: ${JSON.stringify({ choices: [{ index: 0, text, finish_reason: null }] })}\n\n`)
      .join("") + 'data: {"choices":[{"index":0,"text":"","finish_reason":"stop"}]}\n\n' + done,
    "<>Hi|",
  ],
  "one object of the oldest API": ['{"choices":[{"index":0,"text":"Hi","finish_reason":"stop"}]}', "<>Hi|"],
  "Groq's failure, in a field of its own": [
    chunk({ content: "Hi" }) + 'data: {"choices":[{"index":0,"delta":{}}],"x_groq":{"error":"over_capacity"}}\n\n' +
    done,
    "<>Hifailed: ",
  ],
  "an empty call beside a text": [
    chunk({ content: "Hi", tool_calls: [{ index: 0, id: "", function: { name: "", arguments: "" } }] }, "stop"),
    "<>Hi|",
  ],
  "two choices side by side": [
    choice(0, { role: "assistant", content: "" }) + choice(1, { role: "assistant", content: "" }) +
    choice(0, { content: "H" }) + choice(1, { content: "Bye" }) + choice(0, { content: "i" }) +
    choice(1, {}, "length") + choice(0, {}, "stop") + counted + done,
    "<>Hi| 3+2",
  ],
  "two choices one after the other": [
    choice(0, { role: "assistant", content: "Hi" }) + choice(0, {}, "stop") +
    choice(1, { role: "assistant", content: "Bye" }) + choice(1, {}, "content_filter") + done,
    "<>Hi|",
  ],
  "two choices in each chunk, in any order": [
    choices([1, "By"], [0, "H"]) + choices([1, "e"]) + choices([0, "i"]) + choice(0, {}, "stop") + done,
    "<>Hi|",
  ],
  "two choices at one place": [choices([0, "H"], [0, "Bye"]) + choice(0, { content: "i" }, "stop") + done, "<>Hi|"],
  "LiteLLM's choices, which are parts of one answer": [
    choice(0, { role: "assistant", content: "", reasoning_content: "Hm" }) + choice(1, { content: "H" }) +
    choice(2, { content: "i" }) + choice(0, {}, "stop") + done,
    "<>Hi|",
  ],
  "a place in some chunks, and none in others": [
    chunk({ role: "assistant" }) +
    `data: ${JSON.stringify({ choices: [{ delta: { role: "assistant", content: "Hi" } }] })}\n\n` + chunk({}, "stop"),
    "<>Hi|",
  ],
  "MiniMax's failure": [
    chunk({ content: "Hi" }) + 'data: {"choices":null,"base_resp":{"status_code":1002,"status_msg":"No"}}\n\n' + done,
    "<>Hifailed: ",
  ],
  "MiniMax's success": [
    'data: {"choices":[{"delta":{"content":"Hi"}}],"base_resp":{"status_code":0,"status_msg":""}}\n\n' + done,
    "<>Hi|",
  ],
  "Cloudflare's failures": [
    chunk({ content: "Hi" }) + 'data: {"success":false,"errors":[{"code":"busy","message":"No"}]}\n\n' + done,
    "<>Hifailed: busy",
  ],
  "a failure in Zhipu's words": ['data: {"code":"busy","msg":"No"}\n\n' + done, "failed: busy"],
  "a reply that was given up": [chunk({ content: "Hi" }) + chunk({}, "cancelled"), "<>Hifailed: cancelled"],
  "a whole reply as one event": [
    `data: ${JSON.stringify({ choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] })}\n\n${done}`,
    "<>Hi|",
  ],
  "a whole call as one event": [
    `data: ${
      JSON.stringify({
        choices: [{ message: { tool_calls: [{ id: "a", function: { name: "f", arguments: "{}" } }] } }],
      })
    }\n\n${done}`,
    "f({})|",
  ],
  "the whole reply beside its pieces, and after them": [
    `data: ${JSON.stringify({ choices: [{ delta: { content: "Hi" }, message: { content: "Hi" } }] })}\n\n` +
    `data: ${JSON.stringify({ choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] })}\n\n${done}`,
    "<>Hi|",
  ],
  "Moonshot's tokens, in the choice": [
    `data: ${
      JSON.stringify({
        choices: [{
          delta: { content: "Hi" },
          finish_reason: "stop",
          usage: { prompt_tokens: 3, completion_tokens: 2 },
        }],
      })
    }\n\n${done}`,
    "<>Hi| 3+2",
  ],
  "Groq's tokens, in a field of its own": [
    chunk({ content: "Hi" }, "stop") +
    `data: ${
      JSON.stringify({ choices: [], x_groq: { usage: { prompt_tokens: 3, completion_tokens: 2 } } })
    }\n\n${done}`,
    "<>Hi| 3+2",
  ],
  "the failure of a provider behind OpenRouter": [
    JSON.stringify({ choices: [{ message: { content: "" }, finish_reason: "error", error: { code: "busy" } }] }),
    "failed: busy",
  ],
  "a refusal that Anthropic gives as the reason": [
    chunk({ content: "H" }) + chunk({}, "refusal"),
    "<>Hfailed: refusal",
  ],
  "an error beside nothing else": ['data: {"code": "busy", "message": "No"}\n\n', "failed: busy"],
  "one object that is an error beside nothing else": ['{"code": "busy", "message": "No"}', "failed: busy"],
  "one list with an error": ['[{"error": {"status": "busy", "message": "No"}}]', "failed: busy"],
  "an empty error in each event": [
    `data: ${JSON.stringify({ error: {}, choices: [{ delta: { content: "Hi" }, finish_reason: "stop" }] })}\n\n`,
    "<>Hi|",
  ],
  "parts without a type, or of the other API": [
    chunk({ content: [{ text: "H" }, { type: "output_text", text: "i" }, "!"] }, "stop"),
    "<>Hi!|",
  ],
  "an object where JSON was asked for": ['{"choices":[{"message":{"content":{"a":1}}}]}', '<>{"a":1}|'],
  "the body of an error as a line": [
    chunk({ content: "Hi" }) + '{"error": {"code": "busy", "message": "No"}}\n',
    "<>Hifailed: busy",
  ],
  "a page of HTML": [
    "<!DOCTYPE html>\n<script>\nlet handlers = {\nerror: {\n}};\n</script>\n",
    "failed: malformed_event",
  ],
  "an empty reason is none": [chunk({ content: "Hi" }, ""), "<>Hifailed: stream_cut"],
  "reasons that are failures": [
    chunk({ content: "Hi" }) + chunk({}, "insufficient_system_resource"),
    "<>Hifailed: insufficient_system_resource",
  ],
  "Gemini's filter": [chunk({}, "content_filter: PROHIBITED_CONTENT"), "failed: content_filter: PROHIBITED_CONTENT"],
  "data that is not an object": ["data: ping\n\n" + chunk({ content: "Hi" }, "stop"), "<>Hi|"],
  "an error by its name": ['event: error\ndata: {"code": "busy"}\n\n', "failed: busy"],
  "an error that only calls itself one": ['data: {"object": "error", "type": "busy", "code": 503}\n\n', "failed: busy"],
  "whole calls at one position": [
    called(0, { id: "a", function: { name: "f", arguments: "{}" } }) +
    called(0, { id: "b", function: { name: "g", arguments: "{}" } }) + chunk({}, "tool_calls"),
    "f({})g({})|",
  ],
  "a call that repeats its name, and begins with null": [
    called(0, { id: "a", function: { name: "f", arguments: null } }) +
    called(0, { id: "a", function: { name: "f", arguments: "{}" } }) + chunk({}, "tool_calls"),
    "f({})|",
  ],
  "a whole reply": [
    chunk({ role: "assistant", content: "" }) + chunk({ content: "H" }) + chunk({ content: "i" }) + chunk({}, "stop") +
    counted + done,
    "<>Hi| 3+2",
  ],
  "without tokens and without [DONE]": [chunk({ content: "Hi" }, "stop"), "<>Hi|"],
  "a reply cut at its token limit": [chunk({ content: "Hi" }, "length") + done, "<>Hi|"],
  "a cut stream": [chunk({ content: "Hi" }), "<>Hifailed: stream_cut"],
  "[DONE] without a reason": [chunk({ content: "Hi" }) + done, "<>Hi|"],
  "[DONE] after nothing": [chunk({}) + done, "failed: stream_cut"],
  "no reason, but the tokens by themselves": [chunk({ content: "Hi" }) + counted, "<>Hi| 3+2"],
  "the tokens by themselves, and more": [
    chunk({ content: "Hi" }) + counted + chunk({ content: "!" }),
    "<>Hi!failed: stream_cut",
  ],
  "the tokens by themselves, and nothing else": [counted, "failed: stream_cut"],
  "tokens that are cut after the reason": [chunk({ content: "Hi" }, "stop") + counted.slice(0, 30), "<>Hi|"],
  "a text that is cut": [chunk({ content: "Hi" }) + chunk({ content: "Hi" }).slice(0, 60), "<>Hifailed: stream_cut"],
  "one object without a reason": ['{"choices":[{"message":{"content":"Hi"},"finish_reason":""}]}', "<>Hi|"],
  "one object without a word": ['{"choices":[{"message":{"content":""},"finish_reason":""}]}', "failed: stream_cut"],
  "GPUStack's failure": ['data: {"choices":[]}\n\nerror: {"type":"busy","message":"No"}\n\n', "failed: busy"],
  "a filter in the middle": [
    chunk({ content: "Hi" }) + chunk({}, "content_filter") + done,
    "<>Hifailed: content_filter",
  ],
  "an error in the middle": [
    chunk({ content: "Hi" }) + 'data: {"error": {"code": "overloaded", "message": "Busy"}}\n\n' + done,
    "<>Hifailed: overloaded",
  ],
  "thoughts": [
    chunk({ reasoning_content: "Hm" }) + chunk({ reasoning: "Hm" }) + chunk({ content: "Hi" }, "stop"),
    "<>Hi|",
  ],
  "thoughts in the text": [
    chunk({ content: "<thi" }) + chunk({ content: "nk>Hm</" }) + chunk({ content: "think>\n\nHi" }, "stop"),
    "<>Hi|",
  ],
  "parts, some of them thoughts": [
    chunk({ content: [{ type: "thinking", thinking: [] }, { type: "text", text: "Hi" }] }, "stop"),
    "<>Hi|",
  ],
  "a refusal": [chunk({ refusal: "No." }, "stop"), "<>No.|"],
  "calls in pieces": [
    called(0, { id: "a", function: { name: "f", arguments: "" } }) +
    called(1, { id: "b", function: { name: "g", arguments: "{" } }) +
    called(0, { function: { arguments: "{}" } }) + called(1, { function: { arguments: "}" } }) +
    chunk({}, "tool_calls"),
    "f({})g({})|",
  ],
  "whole calls without positions": [
    called(undefined, { id: "a", function: { name: "f", arguments: "{}" } }) +
    called(undefined, { id: "b", function: { name: "g", arguments: { x: 1 } } }) + chunk({}, "stop"),
    'f({})g({"x":1})|',
  ],
  "calls without end": [
    called(undefined, { function: { name: "f", arguments: "" } }).repeat(1_000) + chunk({}, "tool_calls"),
    "f()".repeat(20) + "|",
  ],
  "whole calls at no position": [
    called(null, { id: "a", function: { name: "f", arguments: "{}" } }) +
    called(null, { id: "b", function: { name: "g", arguments: "{}" } }) + chunk({}, "stop"),
    "f({})g({})|",
  ],
  "one object": [
    JSON.stringify({
      choices: [{ message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    }),
    "<>Hi| 3+2",
  ],
  "one object with two choices": [
    JSON.stringify({
      choices: [
        { index: 1, message: { content: "Bye" }, finish_reason: "length" },
        { index: 0, message: { content: "Hi" }, finish_reason: "stop" },
      ],
    }),
    "<>Hi|",
  ],
  "one object that is MiniMax's failure": [
    '{"choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}',
    "failed: ",
  ],
  "one object that is an error": [
    '{"error": {"message": "No", "type": "invalid_request_error"}}',
    "failed: invalid_request_error",
  ],
};

Deno.test("replies of chat completions", async (t) => {
  for (const [what, [reply, expected]] of Object.entries(completions)) {
    await t.step(what, () => assertEquals(readWhole(chatCompletionsApi, reply), expected));
  }
});

const cuts: Record<string, boolean> = {
  length: true,
  max_tokens: true,
  MAX_TOKENS: true,
  max_output_tokens: true,
  max_completion_tokens: true,
  token_limit: true,
  max_length: true,
  model_length: true,
  model_context_window_exceeded: true,
  stop: false,
  end_turn: false,
  COMPLETE: false,
};

Deno.test("reasons to finish that say that an answer was cut at its length", async (t) => {
  for (const [reason, isCut] of Object.entries(cuts)) {
    await t.step(reason, () => {
      const { feed } = createEventParser(chatCompletionsApi, "m");
      const ended = feed(encoder.encode(chunk({ content: "Hi" }, reason) + done)).at(-1);
      assertEquals(ended, { type: "ended", usage: null, ...(isCut && { isCut }) });
    });
  }
});

Deno.test("a reply that breaks off is whole after its reason to finish, and after nothing else", async (t) => {
  const broken: [api: ModelApi, reply: string, last: string][] = [
    [chatCompletionsApi, chunk({ content: "Hi" }, "stop"), "ended"],
    [chatCompletionsApi, chunk({ content: "Hi" }, "stop") + counted.slice(0, 30), "ended"],
    [chatCompletionsApi, chunk({ content: "Hi" }, "content_filter"), "failed"],
    [chatCompletionsApi, chunk({ content: "Hi" }), "failed"],
    [chatCompletionsApi, chunk({ content: "Hi" }) + counted, "failed"],
    [responsesApi, begin() + say("Hi") + finish("Hi"), "failed"],
  ];
  for (const [api, reply, last] of broken) {
    await t.step(`${api.path}: ${reply.slice(-60)}`, () => {
      const { feed, cut } = createEventParser(api, "m");
      const events = [...feed(encoder.encode(reply)), ...cut()];
      assertEquals(events.filter(({ type }) => type === "ended" || type === "failed").map(({ type }) => type), [last]);
    });
  }
});

Deno.test("a failure that is a line of its own is read, wherever the network cuts it", async (t) => {
  const lines: Record<string, string> = {
    "GPUStack's": 'error: {"code":"busy","message":"No"}\n\n',
    "the body of an error": '{"error":{"code":"busy","message":"No"}}\n',
    "one that has no end": 'error: {"code":"busy","message":"No"}',
    "one between events": 'event: ping\nerror: {"code":"busy","message":"No"}\r\n\r\n',
  };
  for (const [what, line] of Object.entries(lines)) {
    await t.step(what, () => {
      const bytes = encoder.encode(chunk({ content: "error: none" }) + line);
      for (let at = 0; at <= bytes.length; at++) {
        const { feed, end } = createEventParser(chatCompletionsApi, "m");
        const events = [...feed(bytes.subarray(0, at)), ...feed(bytes.subarray(at)), ...end()];
        const read = events.filter(({ type }) => type === "text" || type === "failed");
        assertEquals(read, [
          { type: "text", text: "error: none" },
          { type: "failed", failure: { ...failWith("busy"), message: "No" } },
        ], `split at byte ${at}`);
      }
    });
  }
  await t.step("half of one is a cut stream", () => {
    const { feed, end } = createEventParser(chatCompletionsApi, "m");
    feed(encoder.encode('error: {"code"'));
    assertEquals(end().map(({ type }) => type), ["failed"]);
  });
});

/** A reply that is read while it arrives. */
function openStream() {
  const { signal } = new AbortController();
  let controller!: ReadableByteStreamController;
  const body = new ReadableStream({ type: "bytes", start: (created) => void (controller = created) });
  const reply = openReply(responsesApi, "m", new Response(body), signal);
  return { reply, send: (text: string) => controller.enqueue(encoder.encode(text)) };
}

Deno.test("openReply", async (t) => {
  await t.step("replies share no buffer, also after one that was closed twice", async () => {
    const closed = openStream();
    for (let times = 0; times < 2; times++) closed.reply.close();
    const streams = ["One", "Two"].map((text) => ({ text, ...openStream() }));
    const reads = streams.map(({ reply }) => reply.read());
    for (const { text, send } of streams) send(delta(text));
    const texts = (await Promise.all(reads)).map((events) => events.filter(({ type }) => type === "text"));
    assertEquals(texts, streams.map(({ text }) => [{ type: "text", text }]));
    for (const { reply } of streams) reply.close();
  });

  await t.step("nor one that was closed while it was read", async () => {
    const broken = openStream();
    const read = broken.reply.read();
    broken.reply.close();
    assertEquals((await read).map(({ type }) => type), ["failed"]);
    const { reply, send } = openStream();
    const next = reply.read();
    send(delta("Three"));
    assertEquals((await next).at(-1), { type: "text", text: "Three" });
    reply.close();
  });
});
