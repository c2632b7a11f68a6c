import { join } from "node:path";
import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { modelsDevList } from "../../support/price_lists.ts";
import { operator } from "../../support/project.ts";
import { runAdmin } from "./run_admin.ts";

Deno.test("npm run admin -- price", async (t) => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  stack.defer(async () => void await operator.from("model_prices").delete().like("model", "owl-%").throwOnError());
  const file = join(folder, "api.json");
  const write = (list: unknown) => Deno.writeTextFile(file, JSON.stringify(list));
  const load = (...more: string[]) =>
    runAdmin(["price", "import", "api.json", "--format", "models.dev", "--provider", "aviary", ...more], { folder });
  const list = async (): Promise<Record<string, unknown>[]> => (await runAdmin(["price", "list", "--json"])).json();
  const priceOf = async (model: string) => (await list()).find((price) => price.model === model);
  await write(modelsDevList);

  await t.step("import stores what can be true, and names what it refuses", async () => {
    const run = await load();
    assertEquals(run.code, 0, run.noted);
    assertEquals(run.said, "Imported the prices of 4 models.");
    assertMatch(run.noted, /^Refused owl-debt: the price of input is negative\.$/m);
    const owl = await priceOf("owl-1");
    assertEquals([owl?.input_price, owl?.cached_price, owl?.output_price, owl?.reasoning_price], [2.5, 0.25, 10, 12]);
    assertEquals([owl?.is_by_hand, owl?.source], [false, "models.dev aviary"]);
    for (const model of ["owl-debt", "owl-gold", "owl-gift", "lark-1", "*"]) {
      assertEquals(await priceOf(model), undefined);
    }
  });

  await t.step("import --allow-free stores free models too", async () => {
    assertEquals((await load("--allow-free")).code, 0);
    const gift = await priceOf("owl-gift");
    assertEquals([gift?.input_price, gift?.output_price, gift?.is_free], [0, 0, true]);
    assertEquals(await priceOf("owl-debt"), undefined);
  });

  await t.step("a price set by hand survives an import", async () => {
    const run = await runAdmin(["price", "set", "owl-1", "--input", "9", "--output", "90", "--json"]);
    assertEquals([run.code, run.json().input_price, run.json().cached_price], [0, 9, null]);
    assertMatch((await load()).noted, /^Kept owl-1: its price was set by hand\.$/m);
    assertEquals((await priceOf("owl-1"))?.input_price, 9);
  });

  await t.step("a later import replaces imported prices, but not by a refused one", async () => {
    const { "owl-1": _, ...models } = modelsDevList.aviary.models;
    const dearer = { ...models, "owl-long": { cost: { input: 5, output: 30 } }, "owl-tiers": { cost: { input: -5 } } };
    await write({ aviary: { models: dearer } });
    assertEquals((await load()).code, 0);
    assertEquals([(await priceOf("owl-long"))?.input_price, (await priceOf("owl-tiers"))?.input_price], [5, 3]);
  });

  await t.step("set refuses what cannot be true", async () => {
    const set = (input: string, ...more: string[]) =>
      runAdmin(["price", "set", "owl-new", `--input=${input}`, "--output", "1", ...more]);
    for (const [input, reason] of [["-1", "negative"], ["10001", "more than"], ["0", "--allow-free"], ["x", "not a"]]) {
      const run = await set(input!);
      assertEquals(run.code, 2, run.noted);
      assert(run.noted.includes(reason!), run.noted);
    }
    assertEquals((await runAdmin(["price", "set", "--input", "1", "--output", "1"])).code, 2);
    assertEquals((await set("1", "--default")).code, 2);
    assertEquals(await priceOf("owl-new"), undefined);
    assertEquals((await set("0", "--allow-free")).code, 0);
    assertEquals((await set("10000")).code, 0);
  });

  await t.step("the default price is set, listed and removed", async () => {
    const run = await runAdmin(["price", "set", "--default", "--input", "50", "--output", "500"]);
    assertMatch(run.said, /^model +all other models$/m);
    assertMatch((await runAdmin(["price", "list"])).said, /^all other models +50 +- +500 +- +by hand$/m);
    assertEquals((await runAdmin(["price", "remove", "--default"])).code, 0);
    assertEquals((await runAdmin(["price", "remove", "--default"])).code, 1);
  });

  await t.step("a file that is none, or without the provider, changes nothing", async () => {
    const before = await list();
    await Deno.writeTextFile(file, "{");
    assertMatch((await load()).noted, /api\.json is not JSON/);
    await write({ meadow: modelsDevList.meadow });
    const run = await load();
    assertEquals(run.code, 1);
    assertMatch(run.noted, /has no models of the provider aviary/);
    assertEquals(await list(), before);
  });
});
