import { assert, assertEquals, assertNotEquals } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

async function prepare(count: number) {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await createMigratedPostgres());
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const add = async (coach: string, count: number) =>
    await value("select import_tests($1, $2)", [
      coach,
      JSON.stringify(Array.from({ length: count }, (_, index) => ({ question: `Question ${index}?` }))),
    ]);
  await add(coachId, count);
  const start = async (coach = coachId): Promise<string> => (await value("select run_tests($1)", [coach])).id;
  const take = async (): Promise<string | null> => (await value("select take_test()"))?.claim ?? null;
  const read = (run: string) => value("select read_test_run($1)", [run]);
  const end = (claim: string, fields: Record<string, unknown> = {}): Promise<boolean> =>
    value(
      `select end_test($1, $2, $3, '[]', $4, $5, $6, $7)`,
      [
        coachId,
        claim,
        "reason" in fields ? null : JSON.stringify({ verdict: "passed", text: "x", ...fields }),
        fields.reason ?? null,
        fields.putOff ?? 0,
        fields.waitsForBudget ?? false,
        fields.givesBack ?? false,
      ],
    );
  /** Lets time pass for claims and for runs that are put off. */
  const wait = async (seconds: number) => {
    const ago = `interval '${seconds} seconds'`;
    await postgres.exec(`update private.test_results set due_at = due_at - ${ago};
      update private.test_runs set put_off_until = put_off_until - ${ago}`);
  };
  const isDue = () => value("select to_json(private.find_due_run() is not null)");
  return handOver(stack, {
    ...{ postgres, value, accountId, coachId, add, start, take, read, end, wait, isDue },
  });
}

Deno.test("a worker's claim on a test", async (t) => {
  await using db = await prepare(1);
  const { start, take, read, end, wait, isDue, value } = db;
  const keep = async (...claims: string[]) => await value("select keep_tests($1)", [claims]);

  await t.step("one worker has it, as long as it renews the claim", async () => {
    assertEquals(await isDue(), false);
    const run = await start();
    assertEquals([await isDue(), (await read(run)).status], [true, "queued"]);
    const claim = await take();
    assertEquals([await take(), await isDue(), (await read(run)).status], [null, false, "running"]);
    for (const _ of [1, 2, 3]) {
      await wait(20);
      assertEquals(await keep(claim!, crypto.randomUUID()), [claim]);
    }
    assertEquals(await take(), null);
    assertEquals([await end(claim!), (await read(run)).status, await isDue()], [true, "done", false]);
  });
  await t.step("of a worker that was killed it runs out after 30 seconds, and another takes the test", async () => {
    const run = await start();
    const lost = await take();
    await wait(29);
    assertEquals(await take(), null);
    await wait(2);
    const taken = await take();
    assertNotEquals(taken, null);
    assertNotEquals(taken, lost);
    assertEquals(await keep(lost!), []);
    assertEquals([await end(lost!, { text: "late" }), (await read(run)).done], [false, 0]);
    assertEquals([await end(taken!), (await read(run)).results[0].text], [true, "x"]);
  });
  await t.step("the same end twice counts once", async () => {
    const run = await start();
    const claim = await take();
    assertEquals([await end(claim!), await end(claim!, { text: "again" })], [true, false]);
    assertEquals((await read(run)).results[0].text, "x");
  });
  await t.step("three workers may lose it, no more", async () => {
    const run = await start();
    for (const _ of [1, 2, 3]) {
      assertNotEquals(await take(), null);
      await wait(31);
    }
    assertEquals(await take(), null);
    const { status, results: [result] } = await read(run);
    assertEquals([status, result.verdict, result.reasons], ["done", "not_judged", [
      "The answer takes more time or memory than a function has.",
    ]]);
  });
  await t.step("with a claim that is lost, a worker finds nothing more for its question", async () => {
    assertEquals(await value("select take_test($1, null)", [crypto.randomUUID()]), null);
  });
});

Deno.test("a test that could not be answered", async (t) => {
  await using db = await prepare(2);
  const { start, take, read, end, wait } = db;

  await t.step("is due again when the run goes on, and given up at its third failure", async () => {
    const run = await start();
    for (const attempt of [1, 2, 3]) {
      const claims = [await take(), await take()];
      for (const claim of claims) assert(await end(claim!, { reason: `Attempt ${attempt}`, putOff: 10 }));
      if (attempt < 3) {
        assertEquals([await take(), (await read(run)).waits_for_budget], [null, false]);
        await wait(11);
      }
    }
    const { status, not_judged, results } = await read(run);
    assertEquals([status, not_judged, results.map(({ reasons }: { reasons: string[] }) => reasons)], [
      "done",
      2,
      [["Attempt 3"], ["Attempt 3"]],
    ]);
  });
  await t.step("because a budget is used up: the whole run waits, however often, and goes on then", async () => {
    const run = await start();
    const refused = { reason: "Budget", putOff: 900, waitsForBudget: true, givesBack: true };
    for (const _ of [1, 2, 3, 4, 5]) {
      assert(await end((await take())!, refused));
      assertEquals([await take(), (await read(run)).waits_for_budget], [null, true]);
      await wait(901);
    }
    assertEquals((await read(run)).waits_for_budget, false);
    for (const _ of [1, 2]) await end((await take())!);
    assertEquals((await read(run)).passed, 2);
  });
});

Deno.test("runs take turns", async (t) => {
  await using db = await prepare(6);
  const { postgres, value, coachId, accountId, add, start, take, end, read } = db;

  await t.step("four tests of a run at once", async () => {
    const run = await start();
    const claims = [];
    for (let claim = await take(); claim !== null; claim = await take()) claims.push(claim);
    assertEquals(claims.length, 4);
    await end(claims[0]!);
    assertNotEquals(await take(), null);
    assertEquals(await take(), null);
    await value("select read_test_run($1, true)", [run]);
  });
  await t.step("those of coaches alternate, and those of one coach follow each other", async () => {
    const other = await value(
      "insert into coach_profiles (account_id, name, title, instructions) values ($1, 'B', 'B', 'B') returning id",
      [accountId],
    );
    await add(other, 2);
    const [first, second, third] = [await start(), await start(), await start(other)];
    const runOf = async (claim: string | null) =>
      await value("select run_id from private.test_results where claim = $1", [claim]);
    const claims: string[] = [];
    const runs: string[] = [];
    for (let claim = await take(); claim !== null; claim = await take()) {
      claims.push(claim);
      runs.push(await runOf(claim));
    }
    assertEquals(runs, [first, third, first, third, first, first]);
    assertEquals((await read(second)).status, "queued");
    for (const claim of claims) await end(claim);
    for (const _ of [1, 2]) await end((await take())!);
    assertEquals([(await read(first)).status, (await read(third)).status], ["done", "done"]);
    assertEquals(await runOf(await take()), second);
    await value("select read_test_run($1, true)", [second]);
  });
  await t.step("a run whose tests are all deleted ends", async () => {
    const run = await start();
    const claim = await take();
    await postgres.query("delete from test_cases where coach_id = $1", [coachId]);
    assertEquals([await end(claim!), await take()], [false, null]);
    assertEquals([(await read(run)).status, (await read(run)).total], ["done", 0]);
  });
});

Deno.test("the newest 50 runs of a coach are kept", async () => {
  await using db = await prepare(1);
  const { value, start, take, end } = db;
  const ids: string[] = [];
  for (let count = 0; count < 53; count++) {
    ids.push(await start());
    await end((await take())!);
  }
  const kept = await value("select json_agg(id order by number) from private.test_runs");
  assertEquals(kept, ids.slice(-50));
  assertEquals(await value("select to_json(count(*)) from private.test_results"), 50);
});

Deno.test("a result is compared with the latest that was judged in a run that was done", async () => {
  await using db = await prepare(1);
  const { value, start, take, end, read } = db;
  const run = async (verdict: string) => {
    const id = await start();
    await end((await take())!, { verdict });
    return id;
  };
  const passed = await run("passed");
  await run("not_judged");
  const stopped = await run("failed");
  await value("update private.test_runs set status = 'stopped' where id = $1 returning 1", [stopped]);
  const failed = await run("failed");
  const { results: [result], newly_failing } = await read(failed);
  assertEquals([result.compared.run_id, newly_failing], [passed, [result.test_id]]);
});
