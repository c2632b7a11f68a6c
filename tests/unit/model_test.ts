import { createModel } from "../../shared/infra/llm/model.ts";
import type { ModelCatalogue } from "../../shared/infra/llm/model_catalogue.ts";
import { ModelError } from "../../shared/infra/llm/model_error.ts";
import type { ModelEvent } from "../../shared/infra/llm/model_event.ts";
import type { ModelRequest, SaidMessage } from "../../shared/infra/llm/model_request.ts";
import { unset } from "../../shared/infra/model_settings.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";
import { openaiEnv } from "../support/openai_env.ts";

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
function startModel(reply: (input: unknown[]) => Response, catalogue = noList) {
  const inputs: unknown[][] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { input } = await request.json();
    inputs.push(input);
    return reply(input);
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
