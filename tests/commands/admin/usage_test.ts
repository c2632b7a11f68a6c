import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { ask, chat } from "../../support/client.ts";
import { createCoach, createTenant, issueKey, operator } from "../../support/project.ts";
import { startService } from "../../support/service.ts";
import { runAdmin } from "./run_admin.ts";

/** Options for a time that includes any day on which the tests run. */
const ever = ["--from", "2020-01-01", "--to", "2999-12-31"];

const tokens = ["input tokens", "cached tokens", "output tokens", "reasoning tokens", "estimated turns"];
const noParts = { cached_tokens: 0, reasoning_tokens: 0, estimated_turns: 0, cost_micro_usd: 0 };

/** The cells of a table, line by line. */
const cellsOf = (table: string) => table.split("\n").map((line) => line.split(/ {2,}/));

Deno.test("npm run admin -- usage", async (t) => {
  await using service = await startService();
  const one = await createTenant({ requests_per_minute: 2 });
  const other = await createTenant();
  for (const [tenant, messages] of [[one, 2], [other, 1]] as const) {
    service.model.script(tenant.modelName, {
      steps: [{ text: "Hi" }, { end: true, usage: { input_tokens: 100, output_tokens: 20 } }],
    });
    for (let more = 0; more < messages; more++) {
      await chat(service, tenant, { message: "Hello", context: { coachId: tenant.coachId, userId: "u" } });
    }
  }
  assertEquals((await ask(service, "GET", "/users/u/threads", one)).status, 429);
  await service.turns();

  await t.step("shows the usage of an account by day, key and coach, and its total", async () => {
    const run = await runAdmin(["usage", ...ever, "--account", one.accountId]);
    assertEquals([run.code, run.noted], [0, ""]);
    const [headings, ...lines] = cellsOf(run.said);
    assertEquals(headings, [
      ...["day", "key", "coach", "requests", "refusals", "turns", ...tokens, "USD"],
    ]);
    const day = lines[0]![0]!;
    assertMatch(day, /^\d{4}-\d\d-\d\d$/);
    assertEquals(
      lines.toSorted(),
      [
        [day, "test", "-", "3", "1", "0", "0", "0", "0", "0", "0", "0.000000"],
        [day, "test", "Ada Byron", "0", "0", "2", "200", "0", "40", "0", "0", "unknown"],
        ["total", "3", "1", "2", "200", "0", "40", "0", "0", "unknown"],
      ].toSorted(),
    );
    assertEquals(lines.at(-1)![0], "total");
  });

  await t.step("by user and model, as the stored answers of the account say", async () => {
    const run = await runAdmin(["usage", ...ever, "--account", one.accountId, "--by", "user,model"]);
    assertEquals([run.code, run.noted], [0, ""]);
    const counts = ["turns", "input tokens", "cached tokens", "output tokens", "reasoning tokens", "uncounted turns"];
    assertEquals(cellsOf(run.said), [
      ["user", "model", ...counts],
      ["u", one.modelName, "2", "200", "0", "40", "0", "0"],
      ["total", "2", "200", "0", "40", "0", "0"],
    ]);
    const { rows } = (await runAdmin(["usage", ...ever, "--account", other.accountId, "--by", "model", "--json"]))
      .json();
    assertEquals(rows.map((row: Record<string, unknown>) => [row.model, row.turns, row.user_id]), [[
      other.modelName,
      1,
      null,
    ]]);
  });

  await t.step("by user or model, it is about one account", async () => {
    for (const more of [[], ["--account", one.accountId, "--by", "account,user"]]) {
      const run = await runAdmin(["usage", ...ever, "--by", "user", ...more]);
      assertEquals([run.code, run.said], [2, ""]);
      assertMatch(run.noted, /is about one account/);
    }
  });

  await t.step("--json shows the same with ids", async () => {
    const { rows, totals, ...period } = (await runAdmin(["usage", ...ever, "--account", one.accountId, "--json"]))
      .json();
    assertEquals(period, { from: "2020-01-01", to: "2999-12-31" });
    assertEquals(totals, {
      requests: 3,
      refusals: 1,
      turns: 2,
      input_tokens: 200,
      output_tokens: 40,
      ...noParts,
      unpriced_turns: 2,
    });
    assertEquals(rows.length, 2);
    const answered = rows.find(({ turns }: { turns: number }) => turns > 0);
    assertEquals([answered.api_key_id, answered.coach_id], [one.keyId, one.coachId]);
  });

  await t.step("--by groups the lines", async () => {
    const run = await runAdmin(["usage", ...ever, "--account", one.accountId, "--by", "account"]);
    assertEquals(cellsOf(run.said), [
      ["account", "requests", "refusals", "turns", ...tokens, "USD"],
      ["Test", "3", "1", "2", "200", "0", "40", "0", "0", "unknown"],
      ["total", "3", "1", "2", "200", "0", "40", "0", "0", "unknown"],
    ]);
    const all = (await runAdmin(["usage", ...ever, "--by", "account,coach", "--json"])).json();
    const mine = all.rows.filter(({ account_id }: { account_id: string }) => account_id === one.accountId);
    assertEquals(mine.map(({ day, coach_id, turns }: Record<string, unknown>) => [day, coach_id, turns]).toSorted(), [
      [null, null, 0],
      [null, one.coachId, 2],
    ]);
  });

  await t.step("--key and --coach show the usage of one key or coach", async () => {
    const { keyId, apiKey } = await issueKey(one.accountId);
    await chat(service, { apiKey }, { message: "Hello", context: { coachId: one.coachId } });
    await service.turns();
    const totalsWith = async (...args: string[]) =>
      (await runAdmin(["usage", ...ever, ...args, "--json"])).json().totals;
    assertEquals((await totalsWith("--key", keyId)).turns, 1);
    assertEquals((await totalsWith("--key", one.keyId)).turns, 2);
    const ofCoach = await totalsWith("--coach", one.coachId);
    assertEquals([ofCoach.requests, ofCoach.turns], [0, 3]);
    assertEquals((await totalsWith("--coach", other.coachId)).turns, 1);
    assertEquals((await totalsWith("--coach", other.coachId, "--account", one.accountId)).turns, 0);
  });

  await t.step("names that several keys share are shown with their ids", async () => {
    const run = await runAdmin(["usage", ...ever, "--account", one.accountId, "--by", "api_key"]);
    const keys = cellsOf(run.said).slice(1, -1).map(([key]) => key!);
    assertEquals(keys.length, 2);
    for (const key of keys) assertMatch(key, /^test \([0-9a-f-]{36}\)$/);
    assert(keys.includes(`test (${one.keyId})`));
  });

  await t.step("the usage of a deleted coach is shown under its id", async () => {
    const tenant = await createTenant();
    const { id } = await createCoach(tenant.accountId, { model: tenant.modelName });
    const { threadId } = await chat(service, tenant, { message: "Hello", context: { coachId: id } });
    await service.turns();
    await operator.from("threads").delete().eq("id", threadId).throwOnError();
    await operator.from("coach_profiles").delete().eq("id", id).throwOnError();
    const run = await runAdmin(["usage", ...ever, "--account", tenant.accountId, "--by", "coach"]);
    const lines = cellsOf(run.said).slice(1, -1).map(([coach, , , turns]) => [coach, turns]);
    assertEquals(new Map(lines as [string, string][]), new Map([["-", "0"], [id, "1"]]));
  });

  await t.step("shows the last 30 days by default, or the 30 days up to --to", async () => {
    const now = new Date("2026-03-01T23:59:59Z");
    const periodOf = async (...args: string[]) => {
      const { from, to } = (await runAdmin(["usage", ...args, "--json"], { now })).json();
      return [from, to];
    };
    assertEquals(await periodOf(), ["2026-01-31", "2026-03-01"]);
    assertEquals(await periodOf("--to", "2026-01-30"), ["2026-01-01", "2026-01-30"]);
    assertEquals(await periodOf("--from", "2025-12-31"), ["2025-12-31", "2026-03-01"]);
  });
});

Deno.test("npm run admin -- usage shows all of more than a thousand lines, and counts all of them in the total", async () => {
  const { accountId } = await createTenant();
  const apiKeyId = crypto.randomUUID();
  const coaches = Array.from({ length: 1_100 }, () => crypto.randomUUID());
  await operator.from("coach_profiles").insert(
    coaches.map((id) => ({ id, account_id: accountId, name: "Same", title: "T", instructions: "I" })),
  ).throwOnError();
  const threads = coaches.map((coach_id) => ({
    id: crypto.randomUUID(),
    account_id: accountId,
    coach_id,
    user_id: "u",
  }));
  await operator.from("threads").insert(threads).throwOnError();
  await operator.from("messages").insert(
    threads.map(({ id }) => ({
      thread_id: id,
      role: "assistant",
      status: "streaming",
      content: "",
      api_key_id: apiKeyId,
      run_id: crypto.randomUUID(),
    })),
  ).throwOnError();
  await operator.from("messages").update({ status: "complete", input_tokens: 2, output_tokens: 3 })
    .eq("api_key_id", apiKeyId).throwOnError();
  const { rows, totals } = (await runAdmin(["usage", ...ever, "--account", accountId, "--json"])).json();
  assertEquals(new Set(rows.map(({ coach_id }: { coach_id: string }) => coach_id)), new Set(coaches));
  assertEquals([rows.length, totals.turns, totals.input_tokens, totals.output_tokens], [1_100, 1_100, 2_200, 3_300]);
});

Deno.test("npm run admin -- usage shows the four kinds of tokens, and their cost where it is known", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  const price = { model: tenant.modelName, input_price: 2, cached_price: 0.5, output_price: 8, reasoning_price: 10 };
  await operator.from("model_prices").insert(price).throwOnError();
  const usage = { input_tokens: 100, cached: 60, output_tokens: 30, reasoning: 20 };
  service.model.script(tenant.modelName, { steps: [{ text: "Hi" }, { end: true, usage }] }, {
    steps: [{ text: "Hi" }, { cut: true }],
  });
  const message = { message: "Hello", context: { coachId: tenant.coachId } };
  await chat(service, tenant, message);
  await service.turns();
  const read = async () =>
    cellsOf((await runAdmin(["usage", ...ever, "--account", tenant.accountId, "--by", "account"])).said).at(-1)!;
  // 40 · 2 + 60 · 0.5 + 10 · 8 + 20 · 10 millionths of a dollar.
  assertEquals(await read(), ["total", "1", "0", "1", "100", "60", "30", "20", "0", "0.000390"]);
  // What was counted keeps its cost; from now on it is unknown.
  await operator.from("model_prices").delete().eq("model", tenant.modelName).throwOnError();
  await ask(service, "POST", "/chat", tenant, message).catch(() => {});
  await service.turns();
  const total = await read();
  assertEquals([total[3], total.at(-2), total.at(-1)], ["2", "1", "0.000390 + unknown"]);
});

Deno.test("npm run admin -- usage says so when there was no usage", async () => {
  const args = ["usage", "--from", "2020-01-01", "--to", "2020-01-01"];
  const run = await runAdmin(args);
  assertEquals([run.code, run.said, run.noted], [0, "", "There was no usage from 2020-01-01 to 2020-01-01."]);
  assertEquals((await runAdmin([...args, "--json"])).json(), {
    from: "2020-01-01",
    to: "2020-01-01",
    rows: [],
    totals: { requests: 0, refusals: 0, turns: 0, input_tokens: 0, output_tokens: 0, ...noParts, unpriced_turns: 0 },
  });
});
