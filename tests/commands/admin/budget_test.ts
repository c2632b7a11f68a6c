import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { createTenant } from "../../support/project.ts";
import { sentenceOf } from "../../support/refusals.ts";
import { runAdmin } from "./run_admin.ts";

Deno.test("npm run admin -- budget", async (t) => {
  const tenant = await createTenant();
  const other = await createTenant();
  const set = (...more: string[]) => runAdmin(["budget", "set", "--account", tenant.accountId, ...more]);
  const list = async ({ accountId } = tenant) =>
    (await runAdmin(["budget", "list", "--account", accountId, "--json"])).json();

  await t.step("set, with an amount for each user, in tokens", async () => {
    const run = await set("--coach", tenant.coachId, "--each-user", "--tokens", "20000", "--period", "day");
    assertEquals(run.code, 0, run.noted);
    assertMatch(run.said, new RegExp(`^of +each user of coach ${tenant.coachId}$`, "m"));
    assertMatch(run.said, /^limit +20,000 tokens$/m);
    assertMatch(run.said, /^all anonymous +200,000 tokens$/m);
  });

  await t.step("set, in dollars; again changes it, and keeps what was used", async () => {
    const budget = (await set("--coach", tenant.coachId, "--usd", "50", "--period", "month", "--json")).json();
    assertEquals([budget.amount, budget.unit, budget.mode, budget.soft_percent], [
      50_000_000,
      "micro_usd",
      "block",
      80,
    ]);
    const again = await set(
      ...["--coach", tenant.coachId, "--usd", "0.25", "--period", "month", "--mode", "warn", "--soft", "50", "--json"],
    );
    const { id, amount, mode, soft_percent } = again.json();
    assertEquals([id, amount, mode, soft_percent], [budget.id, 250_000, "warn", 50]);
  });

  await t.step("list and show", async () => {
    await set("--key", tenant.keyId, "--tokens", "7", "--period", "total");
    assertEquals((await list()).length, 3);
    assertEquals(await list(other), []);
    const table = (await runAdmin(["budget", "list", "--account", tenant.accountId])).said;
    assertMatch(table, /^id +of +limit +period +used +reserved +mode\n/);
    assert(table.includes(`key ${tenant.keyId}`) && table.includes("0.25 USD"), table);
    const [{ id }] = await list();
    assertMatch((await runAdmin(["budget", "show", id])).said, new RegExp(`^id +${id}$`, "m"));
    const unknown = await runAdmin(["budget", "show", other.accountId]);
    assertEquals([unknown.code, unknown.said, unknown.noted.split("\n").at(-1)], [1, "", "Budget not found"]);
  });

  await t.step("remove takes it away", async () => {
    const [{ id }] = await list();
    assertEquals((await runAdmin(["budget", "remove", id])).code, 0);
    assertEquals((await list()).length, 2);
    assertEquals((await runAdmin(["budget", "remove", id])).noted.split("\n").at(-1), "Budget not found");
  });

  const refused: [name: string, args: string[], sentence: string][] = [
    ["neither tokens nor dollars", ["--period", "day"], "either --tokens or --usd is needed"],
    ["both", ["--tokens", "1", "--usd", "1", "--period", "day"], "either --tokens or --usd is needed"],
    ["nothing at all", ["--tokens", "0", "--period", "day"], "must be more than 0"],
    ["less than nothing", ["--usd=-1", "--period", "day"], "is not an amount in US dollars"],
    ["no number", ["--usd", "1e9", "--period", "day"], "is not an amount in US dollars"],
    ["another period", ["--tokens", "1", "--period", "year"], "must be day, week, month or total"],
    [
      "the coach of another account",
      ["--coach", other.coachId, "--tokens", "1", "--period", "day"],
      sentenceOf("coach_not_found"),
    ],
    ["the key of another account", ["--key", other.keyId, "--tokens", "1", "--period", "day"], "API key not found"],
    [
      "a key and a coach",
      ["--key", tenant.keyId, "--coach", tenant.coachId, "--tokens", "1", "--period", "day"],
      "--key and --coach cannot be used together",
    ],
    [
      "an amount of anonymous users without --each-user",
      ["--tokens", "1", "--anonymous-tokens", "5", "--period", "day"],
      "needs --each-user",
    ],
  ];
  for (const [name, args, sentence] of refused) {
    await t.step(`${name} → refused`, async () => {
      const before = await list();
      const run = await set(...args);
      assert(run.code !== 0 && run.noted.includes(sentence), `${run.code} ${run.noted}`);
      assertEquals(await list(), before);
    });
  }
});
