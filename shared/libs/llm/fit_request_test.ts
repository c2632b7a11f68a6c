import { createInputBudget, fitRequest, type InputBudget, shortenRequest, sizeOf } from "./fit_request.ts";
import type { ModelCatalogue } from "./model_catalogue.ts";
import type { ModelRequest, SaidMessage } from "./model_request.ts";
import { type ModelServer, unset } from "./model_settings.ts";
import { assertEquals } from "../../../tests/support/assert.ts";
import { openaiEnv } from "../../../tests/support/openai_env.ts";

/** A conversation of alternating `user` and `assistant` messages with these lengths. */
function talk(...lengths: number[]): SaidMessage[] {
  return lengths.map((length, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: "x".repeat(length),
  }));
}

function ask(history: SaidMessage[], quoted = 0): ModelRequest {
  return {
    model: null,
    settings: unset,
    instructions: "i".repeat(10),
    history,
    quoted: quoted === 0 ? [] : [{ role: "user", content: "q".repeat(quoted) }],
    input: [{ role: "user", content: "m".repeat(10) }],
  };
}

const lengthsOf = ({ history }: ModelRequest) => history.map(({ content }) => content.length);
/** Of everything but the history: 10 + 10, and "[]" for the tools. */
const rest = sizeOf(ask([]));

Deno.test("fitRequest", async (t) => {
  const cases: Record<string, [history: number[], left: number, kept: number[]]> = {
    "all of it fits": [[1, 2, 3, 4], 10, [1, 2, 3, 4]],
    "the oldest exchange goes": [[1, 2, 3, 4], 9, [3, 4]],
    "an answer goes with its question": [[1, 2, 30, 4], 10, []],
    "a long message hides what is older": [[1, 1, 100, 1, 2, 2], 10, [2, 2]],
    "nothing fits": [[5, 5], 0, []],
    "less than nothing is left": [[5, 5], -100, []],
    "empty messages": [[0, 0], 0, [0, 0]],
    "no history": [[], 0, []],
  };
  for (const [what, [history, left, kept]] of Object.entries(cases)) {
    await t.step(what, () => assertEquals(lengthsOf(fitRequest(ask(talk(...history)), rest + left)), kept));
  }

  await t.step("quoted material and the input stay", () => {
    const request = ask(talk(5, 5), 50);
    assertEquals(fitRequest(request, 0), { ...request, history: [] });
  });
});

Deno.test("sizeOf counts calls, their output and tools, but no images", () => {
  const request = ask([]);
  assertEquals(sizeOf({ ...request, input: [] }), rest - 10);
  assertEquals(sizeOf({ ...request, input: [{ role: "user", content: [{ imageUrl: "data:…" }] }] }), rest - 10);
  const call = { type: "function_call", call_id: "1", name: "f", arguments: "{}" } as const;
  const output = { type: "function_call_output", call_id: "1", output: "Done" } as const;
  assertEquals(sizeOf({ ...request, input: [call, output] }), rest - 10 + 2 + 4);
  const tool = { type: "function", name: "f", parameters: {}, strict: true } as const;
  assertEquals(sizeOf({ ...request, tools: [tool, tool] }), rest + 2 * JSON.stringify(tool).length);
});

Deno.test("shortenRequest", async (t) => {
  const request = ask(talk(5, 5, 5, 5), 7);
  await t.step("first, half of the history", () => {
    assertEquals(shortenRequest(request, false), { ...request, history: request.history.slice(2) });
  });
  await t.step("at most half: of one exchange nothing", () => {
    assertEquals(shortenRequest(ask(talk(5, 5), 7), false), ask([], 7));
  });
  await t.step("then everything but the input", () => {
    assertEquals(shortenRequest(request, true), { ...request, history: [], quoted: [] });
    assertEquals(shortenRequest(ask([], 7), false), ask([]));
  });
  await t.step("of several quoted messages the last one goes with the history, then the one before it", () => {
    const [first, second] = [{ role: "user" as const, content: "a" }, { role: "user" as const, content: "b" }];
    const quoting = { ...request, quoted: [first, second] };
    assertEquals(shortenRequest(quoting, true), { ...request, history: [], quoted: [first] });
    assertEquals(shortenRequest({ ...ask([]), quoted: [first] }, true), ask([]));
  });
  await t.step("then nothing is left to leave out", () => {
    assertEquals(shortenRequest(ask([]), false), null);
    assertEquals(shortenRequest(ask([]), true), null);
  });
});

Deno.test("createInputBudget", async (t) => {
  const own = openaiEnv("https://models.test/v1");
  const listed = { id: "small", shutdownDate: null, contextTokens: 8_000 };
  const known = { configured: [], list: () => Promise.resolve([listed, { ...listed, id: "m", contextTokens: null }]) };
  const keep = async (budget: InputBudget, model: string, messages = 1_000) =>
    lengthsOf(await budget.fit(ask(talk(...Array(messages).fill(300))), model, new AbortController().signal)).length;

  const cases: [name: string, env: ModelServer, catalogue: ModelCatalogue, model: string, kept: number][] = [
    ["of an unknown model, some 60,000 tokens", own, known, "m", 666],
    ["three quarters of the context that the list names", own, known, "small", 58],
    ["OpenAI's own list is not asked", { ...own, baseUrl: null }, known, "small", 666],
    ["what the environment says wins", { ...own, contextTokens: 16_000 }, known, "m", 118],
    ["it says so of its own model", { ...own, contextTokens: 16_000 }, known, "small", 58],
    ["a list that fails says nothing", own, { ...known, list: () => Promise.reject(new Error("Down")) }, "m", 666],
  ];
  for (const [name, env, catalogue, model, kept] of cases) {
    await t.step(name, async () => assertEquals(await keep(createInputBudget(env, catalogue), model), kept));
  }

  await t.step("half of what was too long, for good, also of a short request", async () => {
    const budget = createInputBudget(own, known);
    for (const tooMany of [60_000, 100_000]) budget.learn("m", tooMany);
    assertEquals(await keep(budget, "m"), 98);
    budget.learn("m", 4_000);
    assertEquals([await keep(budget, "m", 10), await keep(budget, "n", 10)], [6, 10]);
  });
});
