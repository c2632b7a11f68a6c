import { createModel } from "./model.ts";
import type { ModelCatalogue } from "./model_catalogue.ts";
import { ModelError } from "./model_error.ts";
import type { ModelEvent } from "./model_event.ts";
import type { ModelRequest, SaidMessage } from "./model_request.ts";
import { unset } from "./model_settings.ts";
import { assert, assertEquals, assertRejects } from "../../../tests/support/assert.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { openaiEnv } from "../../../tests/support/openai_env.ts";
import { serve } from "../../../tests/support/serve.ts";

const noList: ModelCatalogue = { configured: [], list: () => Promise.resolve(null) };
const question: ModelRequest = {
  model: null,
  settings: unset,
  instructions: "Listen",
  history: [],
  quoted: [],
  input: [{ role: "user", content: "Hi" }],
};

/** A model in front of a server that answers by `reply`, and the inputs it was sent. */
function startModel(reply: (input: unknown[], body: object) => Response, catalogue = noList) {
  const inputs: unknown[][] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const body = await request.json();
    inputs.push(body.input);
    return reply(body.input, body);
  });
  const model = createModel(openaiEnv(`http://127.0.0.1:${server.addr.port}`), catalogue);
  async function ask(request: ModelRequest, signal = new AbortController().signal): Promise<ModelEvent[]> {
    return (await Array.fromAsync(model.stream(request, signal, () => {}))).flat();
  }
  return { ask, inputs, [Symbol.asyncDispose]: () => server.shutdown() };
}

const whole = () =>
  Response.json({
    id: "resp_1",
    status: "completed",
    output: [{ type: "message", content: [{ type: "text", text: "Yes" }] }],
  });

Deno.test("an image that is too large says nothing of how much text the model reads", async () => {
  const isImage = (input: unknown[]) => JSON.stringify(input).includes("input_image");
  await using model = startModel((input) => isImage(input) ? new Response(null, { status: 413 }) : whole());
  await assertRejects(
    () => model.ask({ ...question, input: [{ role: "user", content: [{ imageUrl: "data:image/png;base64,AA" }] }] }),
    ModelError,
  );
  const history: SaidMessage[] = [{ role: "user", content: "One?" }, { role: "assistant", content: "One." }];
  await model.ask({ ...question, history: [...history, ...history] });
  assertEquals(model.inputs.map(({ length }) => length), [1, 5]);
});

Deno.test("an abort ends a request that still waits for the list of models", async () => {
  const hanging: ModelCatalogue = { configured: [], list: () => new Promise(() => {}) };
  await using model = startModel(whole, hanging);
  const controller = new AbortController();
  const asked = model.ask({ ...question, instructions: "x".repeat(50_000) }, controller.signal);
  controller.abort(new Error("Stopped"));
  await assertRejects(() => asked, Error, "Stopped");
  assertEquals(model.inputs, []);
});

Deno.test("a reply that goes on far beyond its limit is cut, whether or not the server takes one", async (t) => {
  const words = "word ".repeat(200);
  const isLimit = (name: string) => name === "max_output_tokens";
  for (const takesLimit of [true, false]) {
    await t.step(takesLimit ? "it takes the limit, and ignores it" : "it refuses the limit", async () => {
      let isLeft = false;
      await using model = startModel((_, body) => {
        if (!takesLimit && Object.keys(body).some(isLimit)) {
          const error = { message: "Unsupported parameter", param: "max_output_tokens", code: "unsupported_parameter" };
          return Response.json({ error }, { status: 400 });
        }
        const stream = new ReadableStream<string>({
          // Without end.
          pull(controller) {
            const delta = { type: "response.output_text.delta", output_index: 0, delta: words };
            controller.enqueue(`data: ${JSON.stringify(delta)}\n\n`);
          },
          cancel: () => void (isLeft = true),
        });
        const headers = { "Content-Type": "text/event-stream" };
        return new Response(stream.pipeThrough(new TextEncoderStream()), { headers });
      });
      const events = await model.ask({ ...question, maxOutputTokens: 1_000 });
      const text = events.map((event) => event.type === "text" ? event.text : "").join("");
      // A word and its space are a token.
      assert(text.length > 1_000 * 5 && text.length < 2_000 * 5, `${text.length} characters`);
      assertEquals(events.at(-1), { type: "ended", usage: null, isCut: true });
      await eventually(() => isLeft, "the server is left");
    });
  }

  await t.step("where nobody limits it, it is not", async () => {
    const long = Response.json({
      id: "resp_1",
      status: "completed",
      output: [{ type: "message", content: [{ type: "text", text: words.repeat(50) }] }],
    });
    await using model = startModel(() => long);
    const events = await model.ask({ ...question, settings: { ...unset, maxOutputTokens: 10 } });
    assertEquals(events.at(-1), { type: "ended", usage: null });
  });
});

Deno.test("a reply is as long as everybody allows, and a request that may cost something is sent again if it may", async () => {
  const limits: unknown[] = [];
  let [reply, asked] = [Response.json({}), 0];
  await using model = startModel((_, body) => {
    limits.push((body as { max_output_tokens?: number }).max_output_tokens);
    return limits.length % 2 === 0 ? whole() : reply;
  });
  for (
    const [status, error, outputTokens] of [
      [500, { message: "Down" }, 20],
      [500, { message: "Down" }, 80],
      [400, { message: "Unsupported", param: "temperature", code: "unsupported_parameter" }, 0],
    ] as const
  ) {
    reply = Response.json({ error }, { status, headers: { "Retry-After": "0" } });
    const settings = { ...unset, temperature: 0.5, maxOutputTokens: 50 };
    const mayRetry = () => (asked++, Promise.resolve({ outputTokens }));
    await model.ask({ ...question, settings, maxOutputTokens: 100, mayRetry });
  }
  // What a server refuses costs nothing.
  assertEquals([limits, asked], [[50, 20, 50, 50, 50, 50], 2]);
});

Deno.test("kept responses: what is not there is gone, and no request is repeated", async () => {
  let [reply, requests] = [new Response(), 0];
  await using server = serve(() => (requests++, reply));
  const model = createModel(openaiEnv(server.url), noList);
  const { signal } = new AbortController();
  const seen = [];
  for (const status of [404, 405, 501, 503]) {
    reply = Response.json({}, { status });
    seen.push(await model.remove("resp_1", signal).then(() => "removed", () => status));
  }
  for (const status of ["queued", "in_progress"]) {
    reply = Response.json({ id: "resp_1", status, output: [] });
    seen.push(await model.retrieve("resp_1", signal));
  }
  for (const status of [404, 503]) {
    reply = Response.json({}, { status });
    seen.push(await model.retrieve("resp_1", signal).catch(() => status));
  }
  assertEquals(seen, ["removed", "removed", "removed", 503, "running", "running", "gone", 503]);
  assertEquals(requests, 8);
});

Deno.test("chat completions get back what came with a call, unless they refuse it", async () => {
  const call = { id: "call_1", type: "function", function: { name: "ask", arguments: "{}" } };
  const message = {
    reasoning_content: "Hm",
    tool_calls: [{ ...call, extra_content: { google: { thought_signature: "c2ln" } } }],
  };
  let isStrict = false;
  const sent: unknown[] = [];
  await using model = startModel((input, body) => {
    if (input !== undefined) return new Response(null, { status: 404 });
    const asked = "messages" in body && Array.isArray(body.messages) ? body.messages[2] : null;
    sent.push(asked);
    return isStrict && "reasoning_content" in asked
      ? Response.json({ detail: [{ loc: ["body", "messages", 2, "reasoning_content"] }] }, { status: 422 })
      : Response.json({ choices: [{ message, finish_reason: "tool_calls" }] });
  });
  const [called] = (await model.ask(question)).flatMap((event) => event.type === "call" ? [event.call] : []);
  const item = { type: "function_call" as const, call_id: "call_1", name: "ask", arguments: "{}", kept: called!.kept };
  const output = { type: "function_call_output" as const, call_id: "call_1", output: "{}" };
  const next: ModelRequest = { ...question, input: [...question.input, item, output] };
  await model.ask(next);
  assertEquals(sent.at(-1), { role: "assistant", content: null, ...message });
  isStrict = true;
  await model.ask(next);
  assertEquals(sent.at(-1), { role: "assistant", content: null, tool_calls: [call] });
});
