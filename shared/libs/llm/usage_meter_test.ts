import { estimateRequest, estimateTokens } from "./estimate_tokens.ts";
import type { ModelEvent, Usage } from "./model_event.ts";
import type { ModelRequest } from "./model_request.ts";
import { createUsageMeter } from "./usage_meter.ts";
import { unset } from "./model_settings.ts";
import { assertEquals } from "../../../tests/support/assert.ts";

const request: ModelRequest = {
  model: null,
  settings: unset,
  instructions: "You are Ada, who answers briefly.",
  history: [{ role: "user", content: "Hello" }, { role: "assistant", content: "Good morning!" }],
  quoted: [],
  input: [{ role: "user", content: "What is a loom?" }],
};
const said = "A loom weaves threads into cloth.";
const text = (text: string): ModelEvent => ({ type: "text", text });
const ended = (usage: Usage | null): ModelEvent => ({ type: "ended", usage });
const reported: Usage = { freshInput: 30, cachedInput: 20, visibleOutput: 8, reasoning: 5 };
const estimated = (visibleOutput: number) => ({
  freshInput: estimateRequest(request),
  cachedInput: 0,
  visibleOutput,
  reasoning: 0,
  isEstimated: true,
});

Deno.test("a meter counts every request to a model", async (t) => {
  await t.step("nothing where none was made", () => assertEquals(createUsageMeter().total(), null));

  await t.step("as reported", () => {
    const meter = createUsageMeter();
    meter.begin(request);
    meter.read([text(said), ended(reported)]);
    assertEquals(meter.total(), { ...reported, isEstimated: false });
    assertEquals(meter.total(), { ...reported, isEstimated: false }, "the same when it is asked again");
  });

  await t.step("by estimate where the server reports nothing", () => {
    const meter = createUsageMeter();
    meter.begin(request);
    meter.read([text(said.slice(0, 10))]);
    meter.read([text(said.slice(10)), ended(null)]);
    assertEquals(meter.total(), estimated(estimateTokens(said)));
  });

  await t.step("by estimate where the reply was stopped, also before its first word", () => {
    const meter = createUsageMeter();
    meter.begin(request);
    assertEquals(meter.total(), estimated(0));
  });

  await t.step("by estimate where the reply broke off", () => {
    const meter = createUsageMeter();
    meter.begin(request);
    meter.read([text(said)]);
    meter.fail();
    assertEquals(meter.total(), estimated(estimateTokens(said)));
  });

  await t.step("thoughts too, where the reply was stopped in the middle of them", () => {
    const meter = createUsageMeter();
    meter.begin(request);
    meter.read([{ type: "thought", text: said }, { type: "thought", text: said }]);
    assertEquals(meter.total(), { ...estimated(0), reasoning: estimateTokens(said + said) });
  });

  await t.step("not what the server has refused, also where the reply was to come in one piece", () => {
    const meter = createUsageMeter();
    meter.begin(request);
    meter.read([{ type: "unstreamed" }]);
    meter.fail();
    assertEquals(meter.total(), null);
  });

  await t.step("not what the server has refused", () => {
    const meter = createUsageMeter();
    meter.begin(request);
    meter.fail();
    assertEquals(meter.total(), null);
  });

  await t.step("the calls that the model makes", () => {
    const meter = createUsageMeter();
    meter.begin(request);
    meter.read([{ type: "call", call: { id: "call_1", name: "ask_expert", arguments: '{"question":"Why?"}' } }]);
    assertEquals(meter.total(), estimated(estimateTokens('ask_expert{"question":"Why?"}')));
  });

  await t.step("a report of no output, beside a text", () => {
    const meter = createUsageMeter();
    meter.begin(request);
    meter.read([text(said), ended({ ...reported, visibleOutput: 0 })]);
    assertEquals(meter.total(), { ...reported, visibleOutput: estimateTokens(said), isEstimated: true });
  });

  await t.step("all requests together, marked as soon as one of them is estimated", () => {
    const meter = createUsageMeter();
    meter.begin(request);
    meter.read([ended(reported)]);
    meter.begin(request);
    meter.read([text(said)]);
    const { freshInput, visibleOutput } = estimated(estimateTokens(said));
    assertEquals(meter.total(), {
      freshInput: 30 + freshInput,
      cachedInput: 20,
      visibleOutput: 8 + visibleOutput,
      reasoning: 5,
      isEstimated: true,
    });
  });

  await t.step("a text without end, as far as Postgres can hold the sums", () => {
    const meter = createUsageMeter();
    meter.begin(request);
    for (let times = 0; times < 10; times++) meter.read([text("word ".repeat(20_000))]);
    const { visibleOutput } = meter.total()!;
    assertEquals(Math.abs(visibleOutput - estimateTokens("word ".repeat(200_000))) < 20, true);
    meter.begin(request);
    meter.read([ended({ freshInput: 2 ** 31 - 1, cachedInput: 2 ** 31 - 1, visibleOutput: 1, reasoning: 1 })]);
    const { freshInput, cachedInput } = meter.total()!;
    assertEquals(freshInput + cachedInput < 2 ** 31, true);
  });
});
