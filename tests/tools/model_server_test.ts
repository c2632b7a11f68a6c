import { assertEquals, assertObjectMatch, assertRejects } from "deno-std/assert/mod.js";
import OpenAI from "openai";
import { defaultUsage, startModelServer, type Step } from "../support/model_server.ts";

Deno.test("model server", async (t) => {
  await using server = await startModelServer();
  const client = new OpenAI({ apiKey: "none", baseURL: server.baseUrl });
  const input = "Hi";

  async function stream(steps: Step[]): Promise<OpenAI.Responses.ResponseStreamEvent[]> {
    const model = crypto.randomUUID();
    server.script(model, { responseId: "resp_1", steps });
    const events = await client.responses.create({ model, input, instructions: "Be brief.", stream: true });
    return await Array.fromAsync(events);
  }

  await t.step("a script of texts streams as the usual events, numbered from 0", async () => {
    const events = await stream([{ text: "Hel" }, { text: "lo" }]);
    assertEquals(events.map(({ type }) => type), [
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    assertEquals(events.map(({ sequence_number }) => sequence_number), [...events.keys()]);
    assertObjectMatch(events[0]!, {
      response: { id: "resp_1", status: "in_progress", instructions: "Be brief.", output: [] },
    });
    assertObjectMatch(events.at(-1)!, {
      response: {
        status: "completed",
        output: [{ type: "message", content: [{ type: "output_text", text: "Hello" }] }],
        usage: defaultUsage,
      },
    });
  });

  await t.step("an unknown model says hello, streamed or not", async () => {
    const { output_text, usage } = await client.responses.create({ model: "unknown", input });
    assertEquals(output_text, "Hello world");
    assertEquals(usage?.output_tokens, defaultUsage.output_tokens);
    const texts: string[] = [];
    for await (const event of await client.responses.create({ model: "unknown", input, stream: true })) {
      if (event.type === "response.output_text.delta") texts.push(event.delta);
    }
    assertEquals(texts, ["Hello", " world"]);
    assertEquals(server.requestsOf("unknown").map(({ body, aborted }) => [body.input, aborted]), [
      ["Hi", false],
      ["Hi", false],
    ]);
  });

  await t.step("each step of raw bytes is a network chunk", async () => {
    server.script("raw", { steps: [{ bytes: "data: a" }, { bytes: new Uint8Array([0xc3]) }, { bytes: "\n\n" }] });
    const response = await fetch(`${server.baseUrl}/responses`, {
      method: "POST",
      body: JSON.stringify({ model: "raw", stream: true }),
    });
    const chunks = await Array.fromAsync(response.body!);
    assertEquals(chunks.map((chunk) => chunk.length), [7, 1, 2]);
  });

  await t.step("the script waits for a promise", async () => {
    const released = Promise.withResolvers<void>();
    server.script("held", { steps: [{ text: "a" }, { waitFor: released.promise }, { text: "b" }] });
    const texts: string[] = [];
    for await (const event of await client.responses.create({ model: "held", input, stream: true })) {
      if (event.type !== "response.output_text.delta") continue;
      texts.push(event.delta);
      released.resolve();
    }
    assertEquals(texts, ["a", "b"]);
  });

  await t.step("a status step sends an HTTP error, and the client tries again", async () => {
    server.script("busy", { steps: [{ status: 503, code: "overloaded" }] });
    const error = await assertRejects(
      () => client.responses.create({ model: "busy", input, stream: true }),
      OpenAI.APIError,
    );
    assertEquals([error.status, error.code], [503, "overloaded"]);
    assertEquals(server.requestsOf("busy").length, 3);
  });

  await t.step("a call is sent as the usual events, after those of the text before it", async () => {
    const call = { id: "call_1", name: "look_up", arguments: { word: "tea" } };
    const events = await stream([{ text: "Wait." }, { call }]);
    assertEquals(events.slice(4).map(({ type }) => type), [
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.function_call_arguments.delta",
      "response.function_call_arguments.done",
      "response.output_item.done",
      "response.completed",
    ]);
    const item = { type: "function_call", call_id: "call_1", name: "look_up", arguments: '{"word":"tea"}' };
    assertObjectMatch(events.at(-2)!, { output_index: 1, item });
    assertObjectMatch(events.at(-1)!, { response: { output: [{ type: "message" }, item] } });
  });

  await t.step("several scripts answer one request each, the last one all further requests", async () => {
    server.script("in turn", { steps: [{ text: "first" }] }, { steps: [{ text: "later" }] });
    const texts: string[] = [];
    for (let request = 0; request < 3; request++) {
      texts.push((await client.responses.create({ model: "in turn", input })).output_text);
    }
    assertEquals(texts, ["first", "later", "later"]);
  });

  await t.step("a script whose last step is not a text ends only as its steps say", async () => {
    const failed = { type: "response.failed", response: { id: "resp_1", error: { code: "server_error" } } };
    const types = (await stream([{ text: "a" }, { event: failed }])).map(({ type }) => type);
    assertEquals(types.slice(-2), ["response.output_text.delta", "response.failed"]);
  });

  await t.step("an end step has its own usage", async () => {
    const events = await stream([{ text: "a" }, { end: true, usage: { input_tokens: 1, output_tokens: 2 } }]);
    assertObjectMatch(events.at(-1)!, { type: "response.completed", response: { usage: { total_tokens: 3 } } });
  });

  await t.step("a cut connection is an error for the client, after all text before it", async () => {
    server.script("cut", { steps: [{ text: "a" }, { cut: true }] });
    const texts: string[] = [];
    await assertRejects(async () => {
      for await (const event of await client.responses.create({ model: "cut", input, stream: true })) {
        if (event.type === "response.output_text.delta") texts.push(event.delta);
      }
    });
    assertEquals(texts, ["a"]);
    const [exchange, ...retries] = server.requestsOf("cut");
    await exchange?.over;
    assertEquals([exchange?.aborted, retries], [false, []]);
  });

  await t.step("a client that disconnects is recorded", async () => {
    server.script("hanging", { steps: [{ text: "a" }, { hang: true }] });
    const events = await client.responses.create({ model: "hanging", input, stream: true });
    for await (const event of events) if (event.type === "response.output_text.delta") break;
    const [exchange] = server.requestsOf("hanging");
    await exchange?.over;
    assertEquals(exchange?.aborted, true);
  });

  await t.step("a script that hangs from the start sends no headers", async () => {
    server.script("silent", { steps: [{ hang: true }] });
    const leaving = new AbortController();
    const asked = client.responses.create({ model: "silent", input, stream: true }, { signal: leaving.signal });
    while (server.requestsOf("silent").length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    leaving.abort();
    await assertRejects(() => asked, OpenAI.APIUserAbortError);
    const [exchange] = server.requestsOf("silent");
    await exchange?.over;
    assertEquals(exchange?.aborted, true);
  });

  await t.step("a kept response is returned, others are 404", async () => {
    server.keep("resp_kept", { status: "completed", text: "Kept", usage: { input_tokens: 3, output_tokens: 4 } });
    server.keep("resp_gone", null);
    const { status, output_text, usage } = await client.responses.retrieve("resp_kept");
    assertEquals([status, output_text, usage?.input_tokens], ["completed", "Kept", 3]);
    for (const id of ["resp_gone", "resp_unknown"]) {
      await assertRejects(() => client.responses.retrieve(id), OpenAI.NotFoundError);
    }
  });
});
