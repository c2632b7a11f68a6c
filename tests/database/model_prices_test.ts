import { assertEquals, assertRejects } from "../support/assert.ts";
import { createMigratedPostgres } from "../support/migrated_postgres.ts";

Deno.test("prices of models", async (t) => {
  await using postgres = await createMigratedPostgres();
  type Price = Record<string, string | number | boolean | null>;
  const insert = (price: Price) =>
    postgres.query(
      "insert into public.model_prices select (jsonb_populate_record(row.base, $1)).*\n" +
        "from (select row(null, null, null, null, null, false, true, null, now())::public.model_prices as base) as row",
      [
        JSON.stringify(price),
      ],
    );
  /** The cost in micro USD of fresh and cached input, output and reasoning. */
  const cost = async (model: string | null, ...tokens: [number, number, number, number]) => {
    const { rows: [row] } = await postgres.query<{ cost: number | null }>(
      "select private.cost_of($1, $2, $3, $4, $5) as cost",
      [model, ...tokens],
    );
    return row?.cost;
  };
  await insert({ model: "owl", input_price: 2, cached_price: 0.5, output_price: 8, reasoning_price: 10 });
  await insert({ model: "wren", input_price: 0.0375, output_price: 0.15 });
  await insert({ model: "embedder", input_price: 0.02 });
  await insert({ model: "gift", input_price: 0, output_price: 0, is_free: true });

  await t.step("each of the four counts has its price", async () => {
    assertEquals(await cost("owl", 1, 0, 0, 0), 2);
    assertEquals(await cost("owl", 0, 100, 0, 0), 50);
    assertEquals(await cost("owl", 0, 0, 1, 0), 8);
    assertEquals(await cost("owl", 0, 0, 0, 1), 10);
    assertEquals(await cost("owl", 1_000_000, 1_000_000, 1_000_000, 1_000_000), 20_500_000);
  });

  await t.step("the sum is rounded up", async () => {
    assertEquals(await cost("owl", 0, 1, 0, 0), 1);
    assertEquals(await cost("owl", 0, 3, 0, 0), 2);
    assertEquals(await cost("owl", 0, 0, 0, 0), 0);
  });

  await t.step("cached input costs as much as fresh, and thoughts as much as other output, unless known", async () => {
    assertEquals(await cost("wren", 0, 1_000_000, 0, 0), 37_500);
    assertEquals(await cost("wren", 0, 0, 0, 1_000_000), 150_000);
  });

  await t.step("output without a price has no cost, and costs nothing where there is none", async () => {
    assertEquals(await cost("embedder", 1_000, 0, 0, 0), 20);
    assertEquals(await cost("embedder", 1_000, 0, 1, 0), null);
    assertEquals(await cost("embedder", 1_000, 0, 0, 1), null);
  });

  await t.step("negative counts cost nothing", async () => {
    assertEquals(await cost("owl", -5, -5, -5, -5), 0);
    assertEquals(await cost("owl", -5, 0, 1, 0), 8);
  });

  await t.step("a free model costs nothing", async () => assertEquals(await cost("gift", 1, 1, 1, 1), 0));

  await t.step("a model without a price has no cost", async () => {
    for (const model of ["unheard-of", "OWL", "", null]) assertEquals(await cost(model, 1, 1, 1, 1), null);
  });

  await t.step("a price that would be wrong is refused", async () => {
    for (const price of [-1, -0.0001, 10_001, "NaN", "Infinity", 0]) {
      for (const name of ["input_price", "cached_price", "output_price", "reasoning_price"]) {
        await assertRejects(() => insert({ model: "wrong", input_price: 1, [name]: price }), Error, "model_prices_are");
      }
    }
    await assertRejects(() => insert({ model: "wrong", input_price: -1, is_free: true }), Error, "model_prices_are");
    await assertRejects(() => insert({ model: " ", input_price: 1 }), Error, "model_prices_model");
    // Every SQL error sets the exit code of this process; undo that.
    Deno.exitCode = 0;
    assertEquals(await cost("wrong", 1, 1, 1, 1), null);
  });

  await t.step("the default price stands for models without a row, and for no others", async () => {
    await insert({ model: "*", input_price: 100, output_price: 1_000 });
    assertEquals(await cost("unheard-of", 1, 0, 1, 0), 1_100);
    assertEquals(await cost(null, 1, 0, 1, 0), 1_100);
    assertEquals(await cost("owl", 1, 0, 1, 0), 10);
    assertEquals(await cost("embedder", 1, 0, 1, 0), null);
  });
});
