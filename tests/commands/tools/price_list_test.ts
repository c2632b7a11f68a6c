import { type PriceFormat, readPriceList } from "../../../supabase/commands/admin/read_price_list.ts";
import { assertEquals } from "../../support/assert.ts";
import { litellmList, modelsDevList } from "../../support/price_lists.ts";

/** Prices of input, cached input, output and reasoning, in USD per million tokens. */
type Row = [model: string, input: number, cached: number | null, output: number | null, reasoning: number | null];

function read(format: PriceFormat, list: unknown, { provider = "aviary", mayBeFree = false } = {}) {
  const found = readPriceList(list, { format, provider, mayBeFree });
  return found && {
    rows: found.prices.map((price): Row => [
      price.model,
      price.input_price,
      price.cached_price,
      price.output_price,
      price.reasoning_price,
    ]),
    refused: found.refused.map(({ model, reason }) => `${model}: ${reason}`),
    unpriced: found.unpriced,
  };
}

Deno.test("a list of models.dev", async (t) => {
  const { rows, refused, unpriced } = read("models.dev", modelsDevList)!;
  await t.step("has USD per million tokens; the highest counts where prices rise with length", () => {
    assertEquals(rows, [
      ["owl-1", 2.5, 0.25, 10, 12],
      ["owl-long", 2.5, 0.25, 15, null],
      ["owl-tiers", 3, null, 6, null],
      // No output is not free output: it has no price.
      ["owl-embedder", 0.02, null, null, null],
    ]);
  });
  await t.step("is refused model by model where a price cannot be true", () => {
    assertEquals(refused, [
      "owl-gift: the price of input is zero, which needs --allow-free",
      "owl-debt: the price of input is negative",
      "owl-debt-when-long: the price of output is negative",
      "owl-gold: the price of output is more than 10000 USD per million tokens",
      "owl-words: the price of input is not a number",
      "*: is not the name of a model",
    ]);
    assertEquals(unpriced, ["owl-silent"]);
  });
  await t.step("may have free models if that is wanted, but never negative prices", () => {
    const free = read("models.dev", modelsDevList, { mayBeFree: true })!;
    assertEquals(free.rows.filter(([model]) => model === "owl-gift"), [["owl-gift", 0, null, 0, null]]);
    assertEquals(free.refused.length, refused.length - 1);
  });
});

Deno.test("a list of LiteLLM", async (t) => {
  const { rows, refused, unpriced } = read("litellm", litellmList)!;
  await t.step("has USD per token; the sample, other providers and prices of batches are left out", () => {
    assertEquals(rows, [["owl-1", 0.3, 0.03, 2.5, 3.5], ["owl-long", 2.5, 0.25, 15, null]]);
  });
  await t.step("is refused model by model where a price cannot be true", () => {
    assertEquals(refused, [
      "owl-debt: the price of input is negative",
      "owl-gift: the price of input is zero, which needs --allow-free",
    ]);
    assertEquals(unpriced, ["owl-picture"]);
  });
});

Deno.test("a list without the provider has no prices", () => {
  for (const list of [{}, [], null, "text", modelsDevList, litellmList]) {
    for (const format of ["models.dev", "litellm"] as const) {
      assertEquals(read(format, list, { provider: "sea" }), null);
    }
  }
  assertEquals(read("models.dev", litellmList), null);
  assertEquals(read("litellm", modelsDevList), null);
});
