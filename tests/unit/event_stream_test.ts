import { createParser } from "eventsource-parser";
import { createEventStream, formatEvents } from "../../shared/http/event_stream.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";
import { useFakeClock } from "../support/fake_clock.ts";

/** Pieces of text as a model sends them, the nasty ones first. */
const pieces = [
  "data: x",
  ": comment",
  "event: error\n\nid: 1",
  "[DONE]",
  "\n",
  "\n\n",
  "\na\n",
  " ",
  "   indented",
  "trailing  ",
  "\t",
  "",
  "\ufeff",
  "\u2028\u0085\v\f",
  "Grüße 😀",
  "Hello",
];

function parse(text: string): string[] {
  const texts: string[] = [];
  createParser({ onEvent: ({ data }) => texts.push(data) }).feed(text);
  return texts;
}

async function readText(stream: ReadableStream<Uint8Array>): Promise<string> {
  return await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).text();
}

/** The state of a promise after all pending microtasks have run. */
async function stateOf(promise: Promise<unknown>): Promise<string> {
  let state = "pending";
  promise.then(() => state = "resolved", () => state = "rejected");
  for (let i = 0; i < 20; i++) await Promise.resolve();
  return state;
}

Deno.test("formatEvents", async (t) => {
  const cases: Record<string, { pieces: string[]; text: string }> = {
    "one event for every piece": { pieces: ["Hello", "you"], text: "data: Hello\n\ndata: you\n\n" },
    "exactly one space before the text, and its own spaces kept": {
      pieces: [" world", "  !"],
      text: "data:  world\n\ndata:   !\n\n",
    },
    "a line break makes a second line of the same event": { pieces: ["a\nb"], text: "data: a\ndata: b\n\n" },
    "CRLF and CR are one line break each": { pieces: ["a\r\nb\rc"], text: "data: a\ndata: b\ndata: c\n\n" },
    "a line break alone makes two empty lines": { pieces: ["\n"], text: "data: \ndata: \n\n" },
    "no pieces → no text": { pieces: [], text: "" },
  };
  for (const [promise, { pieces, text }] of Object.entries(cases)) {
    await t.step(promise, () => assertEquals(formatEvents(pieces), text));
  }

  await t.step("a parser of the standard rebuilds every piece exactly", () => {
    assertEquals(parse(formatEvents(pieces)), pieces);
  });
});

/** The server prints the error of a broken stream, so that error must not say what went wrong. */
function assertBare(error: unknown) {
  assertEquals([String(error), (error as Error).cause], ["Error: The stream was broken off", undefined]);
}

Deno.test("createEventStream", async (t) => {
  await t.step("all written text is read, however it is split into pieces", async () => {
    const events = createEventStream(60_000);
    events.send(formatEvents(pieces.slice(0, 5)));
    for (const piece of pieces.slice(5)) events.send(formatEvents([piece]));
    events.end();
    assertEquals(parse(await readText(events.stream)), pieces);
  });

  await t.step("one write is one chunk", async () => {
    const events = createEventStream(60_000);
    events.send(formatEvents(["a", "b"]));
    events.send(formatEvents(["c"]));
    events.end();
    const chunks = await Array.fromAsync(events.stream, (chunk) => new TextDecoder().decode(chunk));
    assertEquals(chunks, [formatEvents(["a", "b"]), formatEvents(["c"])]);
  });

  await t.step("it begins with the first text, not before", async () => {
    const events = createEventStream(60_000);
    assertEquals(await stateOf(events.begun), "pending");
    events.send(formatEvents(["a"]));
    assertEquals(await stateOf(events.begun), "resolved");
    events.end();
  });

  await t.step("it begins when it ends without text", async () => {
    const events = createEventStream(60_000);
    events.end();
    await events.begun;
    assertEquals(await readText(events.stream), "");
  });

  await t.step("an error before the text rejects its beginning", async () => {
    const events = createEventStream(60_000);
    const error = new Error("refused");
    events.end(error);
    assertEquals(await assertRejects(() => events.begun), error);
    assertBare(await assertRejects(() => readText(events.stream)));
  });

  await t.step("an error after the text breaks the stream, not its beginning", async () => {
    const events = createEventStream(60_000);
    const reader = events.stream.getReader();
    events.send(formatEvents(["a"]));
    assertEquals(new TextDecoder().decode((await reader.read()).value), "data: a\n\n");
    const error = new Error("cut");
    events.end(error);
    assertBare(await assertRejects(() => reader.read()));
    await events.begun;
  });

  await t.step("an error is raised only after all text before it has been read", async () => {
    const events = createEventStream(60_000);
    events.send(formatEvents(["all of"]));
    events.send(formatEvents([" this"]));
    events.end(new Error("cut"));
    const reader = events.stream.pipeThrough(new TextDecoderStream()).getReader();
    assertEquals((await reader.read()).value, "data: all of\n\n");
    assertEquals((await reader.read()).value, "data:  this\n\n");
    assertBare(await assertRejects(() => reader.read()));
  });

  await t.step("a stream without text begins, and sends comments until it ends", async () => {
    const events = createEventStream(1);
    const reader = events.stream.getReader();
    for (let i = 0; i < 3; i++) assertEquals(new TextDecoder().decode((await reader.read()).value), ": ping\n\n");
    await events.begun;
    events.send(formatEvents(["a"]));
    events.end();
    const rest: string[] = [];
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      rest.push(new TextDecoder().decode(read.value));
    }
    assertEquals(parse(rest.join("")), ["a"]);
  });

  await t.step("a comment is sent after the quiet time without text, not sooner", async () => {
    using clock = useFakeClock();
    const events = createEventStream(10);
    clock.tick(9);
    assertEquals(await stateOf(events.begun), "pending");
    events.send(formatEvents(["a"]));
    clock.tick(9);
    events.send(formatEvents(["b"]));
    clock.tick(9);
    events.send(formatEvents(["c"]));
    clock.tick(10);
    events.send(formatEvents(["d"]));
    clock.tick(9);
    events.end();
    assertEquals(await readText(events.stream), `${formatEvents(["a", "b", "c"])}: ping\n\n${formatEvents(["d"])}`);
  });

  await t.step("a stream without text begins after the quiet time", async () => {
    using clock = useFakeClock();
    const events = createEventStream(10);
    clock.tick(10);
    assertEquals(await stateOf(events.begun), "resolved");
    events.end();
    assertEquals(await readText(events.stream), ": ping\n\n");
  });

  const ends: Record<string, (events: ReturnType<typeof createEventStream>) => unknown> = {
    "a clean end": (events) => events.end(),
    "an end with an error": (events) => events.end(new Error("cut")),
    "a reader that leaves": (events) => events.stream.cancel(),
  };
  for (const [what, end] of Object.entries(ends)) {
    await t.step(`${what} leaves no timer`, async () => {
      using clock = useFakeClock();
      const events = createEventStream(10);
      events.send(formatEvents(["a"]));
      await end(events);
      assertEquals(clock.timers, 0);
    });
  }

  for (const error of [undefined, new Error("cut")]) {
    await t.step(
      `after the reader has left, later writes and ${error ? "an error" : "a clean end"} do not throw`,
      async () => {
        const events = createEventStream(60_000);
        events.send(formatEvents(["a"]));
        await events.stream.cancel();
        events.send(formatEvents(["b"]));
        events.end(error);
        await events.begun;
        assertEquals((await events.stream.getReader().read()).done, true);
      },
    );
  }
});

Deno.test("a stream of events counts what its reader has not taken, and tells when the reader has left", async () => {
  const events = createEventStream(1_000);
  for (let sends = 0; sends < 3; sends++) events.send("data: x\n\n");
  assertEquals(events.unread(), 3);
  const reader = events.stream.getReader();
  for (let reads = 0; reads < 3; reads++) await reader.read();
  assertEquals(events.unread(), 0);
  await reader.cancel();
  await events.closed;
  assertEquals(events.isOpen(), false);

  const ended = createEventStream(1_000);
  ended.end();
  await ended.closed;
});
