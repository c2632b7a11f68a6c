import { estimateRequest, estimateTokens } from "./estimate_tokens.ts";
import { unset } from "./model_settings.ts";
import { assert, assertEquals } from "../../../tests/support/assert.ts";
import { tokenSamples, unseenSamples } from "../../../tests/support/token_samples.ts";

Deno.test("an estimate is within 15 % of what a tokenizer counts", async (t) => {
  for (const [name, tokens, text] of tokenSamples) {
    await t.step(name, () => {
      const estimate = estimateTokens(text);
      assert(Math.abs(estimate / tokens - 1) <= 0.15, `${estimate} in place of ${tokens}`);
    });
  }
});

Deno.test("so is one of a text to which it was not fitted, in most languages", () => {
  const errors = unseenSamples.map(([name, tokens, text]) => ({ name, error: estimateTokens(text) / tokens - 1 }));
  const outliers = errors.filter(({ error }) => Math.abs(error) > 0.15);
  assertEquals(outliers.map(({ name }) => name), ["Hindi", "Swahili"]);
  assert(outliers.every(({ error }) => Math.abs(error) < 0.25), JSON.stringify(outliers));
  const sum = (count: (sample: typeof unseenSamples[number]) => number) =>
    unseenSamples.reduce((total, sample) => total + count(sample), 0);
  const whole = sum(([, , text]) => estimateTokens(text)) / sum(([, tokens]) => tokens) - 1;
  assert(Math.abs(whole) < 0.05, `all together: ${whole}`);
});

Deno.test("an estimate of a text", async (t) => {
  await t.step("is 0 only where there is none", () => {
    assertEquals(estimateTokens(""), 0);
    for (const text of [" ", "\n", "e", "\0", "\ud800", "\ufeff", "。"]) assert(estimateTokens(text) >= 1);
  });
  await t.step("of two texts is about as much as that of both together", () => {
    for (const [name, , text] of tokenSamples) {
      const parts = estimateTokens(text.slice(0, 100)) + estimateTokens(text.slice(100));
      assert(Math.abs(parts - estimateTokens(text)) <= 2, name);
    }
  });
});

Deno.test("an estimate of a request counts all that the model reads", () => {
  const request = { model: null, settings: unset, instructions: "", history: [], quoted: [], input: [] };
  const said = "Write down when you were tired last week.";
  const user = { role: "user" as const, content: said };
  const nothing = estimateRequest(request);
  const sizes = [
    estimateRequest({ ...request, instructions: said }),
    estimateRequest({ ...request, history: [user] }),
    estimateRequest({ ...request, quoted: [user] }),
    estimateRequest({ ...request, input: [user] }),
    estimateRequest({ ...request, input: [{ type: "function_call", call_id: "1", name: "find", arguments: said }] }),
    estimateRequest({ ...request, input: [{ type: "function_call_output", call_id: "1", output: said }] }),
    estimateRequest({
      ...request,
      tools: [{ type: "function", name: "find", description: said, parameters: null, strict: null }],
    }),
  ];
  for (const size of sizes) assert(size >= nothing + estimateTokens(said), String(size));
  const image = { role: "user" as const, content: [{ imageUrl: "data:image/png;base64,AAAA" }] };
  assert(estimateRequest({ ...request, input: [image] }) > nothing + 500);
});
