/** Reading streams of models: endings, several messages, phases, reasoning, silence, and lengths. */
import { delay, pooledMap } from "../../shared/libs/base/std/async.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { createTenant, createUser, operator, type Tenant } from "../support/project.ts";
import type { ModelScript, Step } from "../support/model_server.ts";
import {
  createEventFormatter,
  createResponseEvents,
  describeRefusal,
  type MessagePhase,
  type StreamEvent,
} from "../support/response_events.ts";
import { startService } from "../support/service.ts";
import { slow } from "../support/slow.ts";
import {
  assertAnswered,
  assertFailed,
  countRequests,
  type ExpectedAnswer,
  type ExpectedFailure,
  failures,
  forms,
  recordTurn,
  sendStream,
} from "../support/turn_record.ts";

const { unavailable, timedOut } = failures;
const responseId = "resp_of_stream";
type ResponseEvents = ReturnType<typeof createResponseEvents>;

/** The events of a whole response. */
function eventsOf(said: (events: ResponseEvents) => StreamEvent[]): StreamEvent[] {
  const events = createResponseEvents({ model: "any" }, responseId);
  return [...events.begin(), ...said(events), ...events.complete()];
}

function write(events: StreamEvent[]): string {
  return events.map(createEventFormatter()).join("");
}

/** "Hello world", in two deltas. */
const hello = eventsOf((events) => [...events.addText("Hello"), ...events.addText(" world")]);

function without(events: StreamEvent[], ...types: RegExp[]): StreamEvent[] {
  return events.filter(({ type }) => !types.some((each) => each.test(type)));
}

const deltas = /\.delta$/;
const ending = /^response\.completed$/;
const contentParts = /content_part/;

Deno.test("endings of a stream that count as whole", async (t) => {
  await using service = await startService();
  const refused = describeRefusal("I would rather not.");
  const rows: [name: string, script: ModelScript, expected: ExpectedAnswer][] = [
    ["response.completed", sendStream(write(hello)), { text: "Hello world", usage: [11, 7] }],
    [
      "response.done",
      sendStream(write(hello.map((event) => ending.test(event.type) ? { ...event, type: "response.done" } : event))),
      { text: "Hello world", usage: [11, 7] },
    ],
    ["no end event, but every item is done", sendStream(write(without(hello, ending))), {
      text: "Hello world",
      usage: null,
    }],
    [
      "[DONE] instead of an end event",
      sendStream(`${write(without(hello, ending))}data: [DONE]\n\n`),
      { text: "Hello world", usage: null },
    ],
    ["[DONE] after the end event", sendStream(`${write(hello)}data: [DONE]\n\n`), { text: "Hello world" }],
    [
      "the text only in response.output_text.done",
      sendStream(write(without(hello, deltas, contentParts))),
      { text: "Hello world" },
    ],
    [
      "the text only in response.output_text.done and the item, with the parts",
      sendStream(write(without(hello, deltas))),
      { text: "Hello world" },
    ],
    [
      "the text only in response.output_item.done",
      sendStream(write(without(hello, deltas, contentParts, /output_text/))),
      { text: "Hello world" },
    ],
    [
      "the text only in the response that has ended",
      sendStream(write(without(hello, deltas, contentParts, /output_text/, /output_item/))),
      { text: "Hello world" },
    ],
    [
      "a refusal only in response.refusal.done",
      sendStream(write([
        ...hello.slice(0, 2),
        { type: "response.output_item.added", output_index: 0, item: { ...refused, content: [] } },
        { type: "response.refusal.done", output_index: 0, content_index: 0, refusal: "I would rather not." },
        { type: "response.output_item.done", output_index: 0, item: refused },
      ])),
      { text: "I would rather not." },
    ],
    ["event: message", sendStream(write(hello).replaceAll(/^event: .*$/gm, "event: message")), {
      text: "Hello world",
    }],
    ["no event lines", sendStream(write(hello).replaceAll(/^event: .*\n/gm, "")), { text: "Hello world" }],
    [
      "comments and other lines between the events",
      sendStream(
        write(hello).replaceAll("event: ", ": PROCESSING\n\nevent: ping\ndata: {}\n\nid: 7\nretry: 5\nevent: "),
      ),
      { text: "Hello world" },
    ],
    [
      "items that are not announced",
      sendStream(write(without(hello, /output_item/, contentParts, /output_text.done/))),
      { text: "Hello world" },
    ],
    [
      "two messages that are not announced",
      sendStream(write(without(
        eventsOf((events) => [...events.addMessage("One."), ...events.addMessage("Two.")]),
        /added$/,
      ))),
      { text: "One.\n\nTwo." },
    ],
    [
      "an end that repeats nothing",
      sendStream(write(
        hello.map((event) => ending.test(event.type) ? { ...event, response: { id: responseId, output: [] } } : event),
      )),
      { text: "Hello world", usage: null },
    ],
    [
      "an end without a response",
      sendStream(write(hello.map((event) => ending.test(event.type) ? { type: event.type } : event))),
      { text: "Hello world", usage: null },
    ],
    ["no space after the colons", sendStream(write(hello).replaceAll(/^(event|data): /gm, "$1:")), {
      text: "Hello world",
    }],
    ["lines that end with CRLF", sendStream(write(hello).replaceAll("\n", "\r\n")), { text: "Hello world" }],
    ["a byte order mark", sendStream(`\ufeff${write(hello)}`), { text: "Hello world" }],
    [
      "a JSON reply, though a stream was asked for",
      { responseId, isWhole: true, steps: [{ text: "Hello" }, { text: " world" }] },
      { text: "Hello world", usage: [11, 7] },
    ],
    [
      "a JSON reply of reasoning, a commentary and two messages",
      {
        responseId,
        isWhole: true,
        steps: [
          { reasoning: "Hm." },
          { message: "Looking.", phase: "commentary" },
          { message: "One.", phase: "final_answer" },
          { message: "Two.", phase: "final_answer" },
        ],
      },
      { text: "One.\n\nTwo.", phase: "final_answer" },
    ],
  ];
  for (const [name, script, expected] of rows) {
    await t.step(name, async () => {
      const tenant = await createTenant();
      service.model.script(tenant.modelName, script);
      for (const form of forms) {
        const [record, requests] = await countRequests(
          service.model,
          tenant.modelName,
          () => recordTurn(service, tenant, { form }),
        );
        assertAnswered(record, { responseId, ...expected });
        assertEquals(requests, 1);
      }
    });
  }
});

Deno.test("endings of a stream that do not count as whole", async (t) => {
  await using service = await startService();
  const doneAs = (status: string) =>
    without(hello, ending).map((event) =>
      event.type === "response.output_item.done" ? { ...event, item: { ...event.item as object, status } } : event
    );
  const commentary = eventsOf((events) => events.addMessage("Looking.", "commentary"));
  const untilDone = without(hello, ending, /done$/);
  const rows: [name: string, stream: string, said: string][] = [
    ["an item is open", write(untilDone), "Hello world"],
    ["an item is open, then [DONE]", `${write(untilDone)}data: [DONE]\n\n`, "Hello world"],
    ["an item is open, of which nothing came", write(hello.slice(0, 3)), ""],
    ["nothing but the beginning", write(hello.slice(0, 2)), ""],
    ["nothing at all", ": welcome\n\n", ""],
    ["a second item is open", write([...without(hello, ending), hello[2]!]), "Hello world"],
    ["only a commentary is done", write(without(commentary, ending)), ""],
    ["an item is done as incomplete", write(doneAs("incomplete")), "Hello world"],
  ];
  for (const [name, stream, said] of rows) {
    await t.step(name, async () => {
      const tenant = await createTenant();
      service.model.script(tenant.modelName, sendStream(stream));
      for (const form of forms) {
        assertFailed(await recordTurn(service, tenant, { form }), { ...unavailable, said }, form);
      }
    });
  }
});

Deno.test("what of a response is shown", async (t) => {
  await using service = await startService();
  const commentary = (message: string): Step => ({ message, phase: "commentary" });
  const final = (message: string): Step => ({ message, phase: "final_answer" });
  const rows: [name: string, steps: Step[], text: string, phase: MessagePhase | null][] = [
    ["messages are paragraphs", [{ message: "Got it" }, { message: "Here they are" }], "Got it\n\nHere they are", null],
    ["deltas of one message are not", [final("Got"), { text: " it" }], "Got it", "final_answer"],
    ["final answers are paragraphs", [final("One."), final("Two.")], "One.\n\nTwo.", "final_answer"],
    ["a commentary is not shown", [commentary("Looking."), final("Found.")], "Found.", "final_answer"],
    ["wherever it stands", [final("One."), commentary("Looking."), final("Two.")], "One.\n\nTwo.", "final_answer"],
    ["unless it is all there is", [commentary("Looking"), { text: " around." }], "Looking around.", "commentary"],
    ["or they are", [commentary("Looking."), commentary("Still.")], "Looking.\n\nStill.", "commentary"],
    [
      "reasoning is never shown",
      [{ reasoning: "Hm." }, final("Found."), { reasoning: "Oh." }],
      "Found.",
      "final_answer",
    ],
    [
      "nor is its text",
      [
        ...["delta", "done"].map((end) => ({
          event: {
            type: `response.reasoning_text.${end}`,
            item_id: "rs_1",
            output_index: 0,
            [end]: "Hm.",
            text: "Hm.",
          },
        })),
        { text: "Found." },
      ],
      "Found.",
      null,
    ],
    [
      "a phase that nobody knows is no commentary",
      [
        { event: { type: "response.output_item.added", item: { type: "message", id: "msg_1", phase: "musing" } } },
        { event: { type: "response.output_text.delta", item_id: "msg_1", delta: "Aha." } },
        { event: { type: "response.output_item.done", item: { type: "message", id: "msg_1", status: "completed" } } },
        { end: true },
      ],
      "Aha.",
      null,
    ],
  ];
  for (const [name, steps, text, phase] of rows) {
    await t.step(name, async () => {
      const tenant = await createTenant();
      service.model.script(tenant.modelName, { responseId, steps });
      for (const form of forms) {
        assertAnswered(await recordTurn(service, tenant, { form }), { text, phase, responseId });
      }
    });
  }
});

Deno.test("the phase of an answer is sent back with it", async (t) => {
  await using service = await startService();
  const inputOf = ({ modelName }: Tenant) =>
    service.model.requestsOf(modelName).at(-1)!.body.input as {
      type?: string;
      role?: string;
      phase?: string;
      content?: unknown;
    }[];

  const answers: [Step, { content: string; phase?: string }][] = [
    [{ message: "Found.", phase: "final_answer" }, { content: "Found.", phase: "final_answer" }],
    [{ message: "Looking.", phase: "commentary" }, { content: "Looking.", phase: "commentary" }],
    [{ message: "Found." }, { content: "Found." }],
  ];
  for (const [step, sent] of answers) {
    await t.step(`in later turns: ${sent.phase ?? "none where there was none"}`, async () => {
      const tenant = await createTenant();
      service.model.script(tenant.modelName, { steps: [step] });
      const { threadId } = await recordTurn(service, tenant, { message: "Where?" });
      await recordTurn(service, tenant, { message: "Sure?", threadId });
      assertEquals(inputOf(tenant), [
        { role: "user", content: "Where?" },
        { type: "message", role: "assistant", ...sent },
        { role: "user", content: "Sure?" },
      ]);
    });
  }

  await t.step("within a turn, before a call; only the final answer is shown", async () => {
    const owner = await createUser();
    const tenant = await createTenant({}, { owner_id: owner.id });
    const call = { id: "call_1", name: "create_knowledge", arguments: { text: "Owls hunt at night." } };
    service.model.script(
      tenant.modelName,
      { steps: [{ message: "I note it.", phase: "commentary" }, { call }] },
      { responseId, steps: [{ message: "Noted.", phase: "final_answer" }] },
    );
    const record = await recordTurn(service, { ...tenant, accessToken: owner.accessToken }, { userId: null });
    assertAnswered(record, { text: "Noted.", phase: "final_answer", responseId });
    assertEquals(inputOf(tenant).slice(1, 2), [
      { type: "message", role: "assistant", content: "I note it.", phase: "commentary" } as object,
    ]);
    assertEquals(service.model.requestsOf(tenant.modelName).length, 2);
  });
});

Deno.test("signs of life", async (t) => {
  await using service = await startService({
    timeouts: { firstChunk: 1_000, betweenChunks: 1_000, turn: 20_000, quiet: 100_000 },
  });
  /** Does a step some times, 250 ms apart: that is longer than any limit. */
  const ticking = (step: Step, times = 5): Step[] => {
    const ticks: Step[] = [];
    let last: Promise<void> = Promise.resolve();
    for (let tick = 0; tick < times; tick++) {
      // Begins when the step before it is done.
      last = last.then(() => delay(250));
      ticks.push({ waitFor: last }, step);
    }
    return ticks;
  };
  const thought: Step = { event: { type: "response.reasoning_summary_text.delta", delta: "Hm.", item_id: "rs_1" } };
  const comment: Step = { bytes: ": keep-alive\n\n" };
  const unknown: Step = { event: { type: "response.web_search_call.searching", item_id: "ws_1", output_index: 0 } };

  const rows: [
    name: string,
    steps: () => Step[],
    outcome: ExpectedAnswer | Omit<ExpectedFailure, "status" | "code" | "error">,
  ][] = [
    ["reasoning before the text, for longer than both limits", () => [...ticking(thought), { text: "Yes." }], {
      text: "Yes.",
    }],
    ["reasoning in the middle of it", () => [{ text: "Yes" }, ...ticking(thought), { text: "." }], { text: "Yes." }],
    ["events that nobody knows", () => [...ticking(unknown), { text: "Yes." }], { text: "Yes." }],
    ["silence from the beginning", () => [{ hang: true }], {}],
    ["silence after the first event", () => [{ waitFor: delay(0) }, { hang: true }], {}],
    ["silence after reasoning", () => [{ reasoning: "Hm." }, { hang: true }], {}],
    ["comments alone", () => [comment, ...ticking(comment, 12), { text: "Yes." }], {}],
    ["comments after a text", () => [{ text: "Yes" }, ...ticking(comment, 12), { text: "." }], { said: "Yes" }],
    ["silence after a text", () => [{ text: "Yes" }, { hang: true }], { said: "Yes" }],
  ];
  for (const [name, stepsOf, outcome] of rows) {
    await t.step(`${name} → ${"text" in outcome ? "the answer" : 504}`, async () => {
      const tenant = await createTenant();
      for (const form of forms) {
        service.model.script(tenant.modelName, { steps: stepsOf() });
        const record = await recordTurn(service, tenant, { form });
        if ("text" in outcome) assertAnswered(record, outcome);
        else assertFailed(record, { ...timedOut, ...outcome }, form);
      }
    });
  }
});

/** A stream as real servers send it: reasoning, a commentary, and an answer of two messages. */
const recorded = eventsOf((events) => [
  ...events.addReasoning("They want a list."),
  ...events.addMessage("Let me look.", "commentary"),
  ...events.addMessage("Tea,", "final_answer"),
  ...events.addText(" milk – 😀."),
  ...events.addMessage("And\n", "final_answer"),
  ...events.addText("bread."),
]);
const recordedText = "Tea, milk – 😀.\n\nAnd\nbread.";

Deno.test("a stream in single bytes is read like a whole one", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  const expected: ExpectedAnswer = { text: recordedText, phase: "final_answer", responseId, usage: [11, 7] };
  const bytes = Array.from(new TextEncoder().encode(write(recorded)), (byte) => ({ bytes: Uint8Array.of(byte) }));
  for (const steps of [[{ bytes: write(recorded) }], bytes]) {
    service.model.script(tenant.modelName, { steps });
    for (const form of forms) assertAnswered(await recordTurn(service, tenant, { form }), expected);
  }
});

// A connection that breaks can be told from a stream that ends.
for (const [name, cut] of [["breaks", [{ cut: true }]], ["ends", []]] as [string, Step[]][]) {
  Deno.test(`a stream that ${name} anywhere is never taken for a whole one`, async () => {
    await using service = await startService({ timeouts: { quiet: 100_000 } });
    const tenants = await Promise.all(
      Array.from({ length: 6 }, () => createTenant({ requests_per_minute: 10_000, requests_per_day: 100_000 })),
    );
    const stream = write(recorded);
    // Where the second message may still follow, but nothing says so: a stream that ends here looks like a whole one, also
    // without the empty line.
    const gap = stream.indexOf("event: response.output_item.added", stream.indexOf("Tea, milk"));
    const step = slow.ignore ? 91 : 13;
    // What is cut before the first event has ended is asked again.
    const first = stream.indexOf("event: response.in_progress");
    const places = Array.from({ length: Math.ceil((stream.length - first) / step) }, (_, index) => first + index * step)
      .filter((place) => name === "breaks" || place < gap - 2 || place > gap);
    const free = [...tenants];
    const wrong: unknown[] = [];
    for await (
      const _ of pooledMap(tenants.length, places, async (place: number) => {
        const tenant = free.pop()!;
        service.model.script(tenant.modelName, sendStream(stream.slice(0, place), cut));
        const form = forms[place % 2]!;
        const { isBroken, status, text, stored } = await recordTurn(service, tenant, { form });
        free.push(tenant);
        const isClean = status === 200 && !isBroken;
        const isWhole = text === recordedText;
        const isConsistent = stored.content === text && (stored.status === "complete") === isClean;
        if (isClean && !isWhole || !recordedText.startsWith(text) || !isConsistent) {
          wrong.push({ place, before: stream.slice(place - 40, place), form, status, isBroken, text, stored });
        }
      })
    );
    assertEquals(wrong, []);
  });
}

Deno.test("an answer that goes on beyond 1 MB is cut there and ends cleanly", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  const piece = "all work and no play ".repeat(1_000);
  const steps: Step[] = Array.from({ length: 100 }, () => ({ text: piece }));
  for (const form of forms) {
    service.model.script(tenant.modelName, { responseId, steps: [...steps, { hang: true }] });
    const record = await recordTurn(service, tenant, { form });
    assert(piece.repeat(100).startsWith(record.text));
    assert(record.text.length > 900_000 && record.text.length <= 1024 * 1024, String(record.text.length));
    assertAnswered(record, { text: record.text, responseId });
    const exchange = service.model.requestsOf(tenant.modelName).at(-1)!;
    await exchange.over;
    assertEquals(exchange.aborted, true, "the model's stream was left open");
  }
});

Deno.test("of a commentary that goes on beyond 1 MB, which is all there is, so much is shown", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  const piece = "all work and no play ".repeat(1_000);
  const steps: Step[] = Array.from({ length: 100 }, () => ({ text: piece }));
  service.model.script(tenant.modelName, { steps: [{ message: "", phase: "commentary" }, ...steps] });
  const record = await recordTurn(service, tenant);
  assertAnswered(record, { text: record.text, phase: "commentary" });
  assert(piece.repeat(100).startsWith(record.text));
  assert(record.text.length > 900_000 && record.text.length <= 1024 * 1024, String(record.text.length));
});

Deno.test("a line of the stream that goes on beyond 16 MB fails the answer", async (t) => {
  await using service = await startService({ timeouts: { turn: 20_000, betweenChunks: 5_000 } });
  const megabyte = "x".repeat(1024 * 1024);
  const endless: Step[] = [
    { bytes: 'data: {"type":"response.created","filler":"' },
    ...Array.from({ length: 40 }, () => ({ bytes: megabyte })),
    { hang: true },
  ];
  const rows: [name: string, before: StreamEvent[], said: string][] = [
    ["at once", [], ""],
    ["after a text", hello.slice(0, 5), "Hello"],
  ];
  for (const [name, before, said] of rows) {
    await t.step(name, async () => {
      const tenant = await createTenant();
      service.model.script(tenant.modelName, { steps: [{ bytes: `: hi\n\n${write(before)}` }, ...endless] });
      const record = await recordTurn(service, tenant);
      assertFailed(record, { ...unavailable, said });
      const exchanges = service.model.requestsOf(tenant.modelName);
      await exchanges.at(-1)!.over;
      // The same again would be as long.
      assertEquals(exchanges.map(({ aborted }) => aborted), [true]);
    });
  }
});

Deno.test("of 200 calls in one turn at most 8 are done", async (t) => {
  await using service = await startService();
  const owner = await createUser();
  // Without numbers: notes that differ in them are compared by the model, which would be given what the turn is to be.
  const note = (place: number) => `An owl says h${"o".repeat(place + 1)}.`;
  const calls = (count: number, from = 0): Step[] =>
    Array.from({ length: count }, (_, index) => ({
      call: { id: `call_${from + index}`, name: "create_knowledge", arguments: { text: note(from + index) } },
    }));
  const rows: [name: string, scripts: ModelScript[]][] = [
    ["in one response", [{ steps: calls(200) }]],
    ["in two responses", [{ steps: calls(5) }, { steps: calls(195, 5) }]],
  ];
  for (const [name, scripts] of rows) {
    await t.step(name, async () => {
      const tenant = await createTenant({}, { owner_id: owner.id });
      service.model.script(tenant.modelName, ...scripts, { steps: [{ text: "Noted." }] });
      const record = await recordTurn(service, { ...tenant, accessToken: owner.accessToken }, { userId: null });
      assertAnswered(record, { text: "Noted." });
      const { count } = await operator.from("knowledge_files").select("*", { count: "exact", head: true })
        .eq("coach_id", tenant.coachId).throwOnError();
      assertEquals(count, 8);
      // A call without an output would be refused by the model's server.
      const { input } = service.model.requestsOf(tenant.modelName).at(-1)!.body;
      const items = input as { type?: string; call_id?: string }[];
      const idsOf = (type: string) => items.filter((item) => item.type === type).map(({ call_id }) => call_id);
      assertEquals(idsOf("function_call_output"), idsOf("function_call"));
      const kinds = items.flatMap(({ type }) => type?.startsWith("function_call") ? [type] : []);
      assertEquals(kinds.indexOf("function_call_output"), scripts.length === 1 ? 8 : 5, "after all of its response");
    });
  }
});
