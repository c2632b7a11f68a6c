import { assert, assertEquals } from "../support/assert.ts";
import { askForValue, beginTurn, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await createMigratedPostgres());
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const set = (amount: number, period: string, more = "") =>
    value(`select set_budget($1, 'tokens', $2, $3 ${more})`, [accountId, amount, period]);
  const begin = () =>
    beginTurn(postgres, { account_id: accountId, coach_id: coachId, plan: { model: "m", input_tokens: 1_000 } });
  /** The used and reserved parts of the account's only budget. */
  const state = async () => {
    const { used, reserved } = (await value("select list_budgets($1)", [accountId]))[0];
    return { used, reserved };
  };
  const expire = () => postgres.query("update private.budget_reservations set expires_at = now()");
  const resources = stack.move();
  return {
    ...{ postgres, value, accountId, coachId, set, begin, state, expire },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

Deno.test("reservations that have expired", async (t) => {
  await using prepared = await prepare();
  const { value, postgres, coachId, set, begin, state, expire } = prepared;
  await set(100_000, "total");

  await t.step("of an answer: settled by the sweep with what was read and what is stored", async () => {
    const { message_id } = await begin();
    await postgres.query("update messages set content = $2 where id = $1", [message_id, "x".repeat(300)]);
    const { reserved } = await state();
    assert(reserved > 9_000, `${reserved}`);
    await value("select take_indexing_work()");
    assertEquals(await state(), { used: 0, reserved });
    await expire();
    await value("select take_indexing_work()");
    const { used, ...rest } = await state();
    assertEquals(rest, { reserved: 0 });
    assert(used >= 1_000 + 100 && used < 2_000, `${used}`);
  });

  await t.step("of other work: counted as a whole, once", async () => {
    const before = (await state()).used;
    const runId = crypto.randomUUID();
    const plan = { model: "m", input_tokens: 500, output_limit: 300 };
    await value("select reserve_work($1, $2, $3)", [coachId, runId, plan]);
    await expire();
    for (const _ of [1, 2]) await value("select take_indexing_work()");
    assertEquals(await state(), { used: before + 800, reserved: 0 });
    // What comes too late finds nothing to settle, and may ask no further.
    await value("select settle_work($1)", [{ run_id: runId, input_tokens: 9, output_tokens: 9 }]);
    assertEquals((await state()).used, before + 800);
    assertEquals((await value("select extend_reservation($1, $2)", [runId, plan])).error, "budget_exhausted");
  });

  await t.step("a save that arrives twice is settled once", async () => {
    const { message_id } = await begin();
    const before = (await state()).used;
    const save = [{
      message_id,
      run_id: message_id,
      status: "complete",
      content: "A",
      input_tokens: 70,
      output_tokens: 7,
    }];
    for (const _ of [1, 2]) await value("select save_turns($1)", [JSON.stringify(save)]);
    assertEquals(await state(), { used: before + 77, reserved: 0 });
  });

  await t.step("a begin that is sent twice reserves once", async () => {
    const plan = { model: "m", input_tokens: 1_000 };
    const runId = crypto.randomUUID();
    const again = () => beginTurn(postgres, { account_id: prepared.accountId, coach_id: coachId, run_id: runId, plan });
    await again();
    const { reserved } = await state();
    await again();
    assertEquals((await state()).reserved, reserved);
  });
});

Deno.test("periods of budgets", async (t) => {
  await using prepared = await prepare();
  const { value, postgres, set } = prepared;

  for (
    const [period, ends] of [
      ["day", "date_trunc('day', now() at time zone 'utc') + interval '1 day'"],
      ["week", "date_trunc('week', now() at time zone 'utc') + interval '7 days'"],
      ["month", "date_trunc('month', now() at time zone 'utc') + interval '1 month'"],
    ]
  ) {
    await t.step(`a ${period} ends in UTC`, async () => {
      assert(
        await value(
          `select private.period_end($1, private.period_start($1)) = (${ends}) at time zone 'utc' as is_so`,
          [period],
        ),
      );
    });
  }

  await t.step("a total never ends, and is never forgotten; a day is, once it is over", async () => {
    const [total, day] = [await set(1_000, "total"), await set(1_000, "day")];
    for (const [id, start] of [[total.id, "-infinity"], [day.id, "2020-01-01"], [day.id, null]]) {
      await postgres.query(
        `insert into private.budget_uses (budget_id, user_hash, starts_on, used)
         values ($1, 'somebody', coalesce($2, private.period_start('day')), 1)`,
        [id, start],
      );
    }
    await value("select take_indexing_work()");
    const { rows } = await postgres.query<{ budget_id: string }>("select budget_id from private.budget_uses");
    assertEquals(rows.map(({ budget_id }) => budget_id).toSorted(), [total.id, day.id].toSorted());
  });
});
