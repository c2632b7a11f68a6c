import { assert, assertEquals } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
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
  return handOver(stack, {
    ...{ postgres, value, accountId, coachId, set, begin, state, expire },
  });
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

  await t.step("a total never ends, and is never forgotten; a day is, once the next is over", async () => {
    const [total, day] = [await set(1_000, "total"), await set(1_000, "day")];
    const uses = [[total.id, null], [day.id, 0], [day.id, 1], [day.id, 2]];
    for (const [id, daysAgo] of uses) {
      await postgres.query(
        `insert into private.budget_uses (budget_id, user_hash, starts_on, used)
         values ($1, 'somebody', coalesce(private.period_start('day') - $2::integer, '-infinity'), 1)`,
        [id, daysAgo],
      );
    }
    await value("select take_indexing_work()");
    const { rows } = await postgres.query<{ budget_id: string; days_ago: number }>(
      `select budget_id, case when isfinite(starts_on) then private.period_start('day') - starts_on end as days_ago
       from private.budget_uses order by days_ago nulls first`,
    );
    assertEquals(rows.map(({ budget_id, days_ago }) => [budget_id, days_ago]), uses.slice(0, 3));
  });
});

Deno.test("what fits a budget exactly is allowed, and reserved as a whole; with one unit less, it is not", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, accountId, coachId, state } = prepared;
  await postgres.exec(`insert into model_prices (model, input_price, output_price)
    values ('owl', 0.5, 0.3), ('embedder', 0.5, null)`);
  const rows: [name: string, unit: string, plan: Record<string, unknown>, cost: number][] = [
    ["tokens", "tokens", { model: "owl", input_tokens: 90, output_limit: 20 }, 110],
    ["tokens of a question that is embedded", "tokens", {
      ...{ model: "owl", input_tokens: 90, output_limit: 20 },
      ...{ embedding_model: "embedder", embedding_tokens: 7 },
    }, 117],
    // 5 for the input and 0.3 for a token, rounded up.
    ["money", "micro_usd", { model: "owl", input_tokens: 10, output_limit: 1 }, 6],
    ["money for a question that is only embedded", "micro_usd", {
      ...{ input_tokens: 0, output_limit: 0, embedding_model: "embedder", embedding_tokens: 9 },
    }, 5],
  ];
  for (const [name, unit, plan, cost] of rows) {
    await t.step(name, async () => {
      for (const [amount, error] of [[cost, undefined], [cost - 1, "budget_exhausted"]] as const) {
        await postgres.exec("delete from public.budgets");
        await value("select set_budget($1, $2, $3, 'total')", [accountId, unit, amount]);
        const reply = await value("select reserve_work($1, $2, $3)", [coachId, crypto.randomUUID(), plan]);
        assertEquals(reply.error, error);
        assertEquals(await state(), { used: 0, reserved: error === undefined ? cost : 0 });
      }
    });
  }

  await t.step("a price that is gone when the work ends: what was reserved counts", async () => {
    await postgres.exec("delete from public.budgets");
    await value("select set_budget($1, 'micro_usd', 9, 'total')", [accountId]);
    const run_id = crypto.randomUUID();
    await value("select reserve_work($1, $2, $3)", [coachId, run_id, {
      model: "owl",
      input_tokens: 10,
      output_limit: 1,
    }]);
    await postgres.exec("delete from model_prices where model = 'owl'");
    await value("select settle_work($1)", [{ run_id, input_tokens: 1, output_tokens: 1 }]);
    assertEquals(await state(), { used: 6, reserved: 0 });
  });
});

Deno.test("a turn while its budgets change", async (t) => {
  await using prepared = await prepare();
  const { value, postgres, set, begin, state } = prepared;
  const end = (message_id: string, input_tokens: number, output_tokens = 0) =>
    value("select save_turns($1)", [
      JSON.stringify([{ message_id, run_id: message_id, status: "complete", input_tokens, output_tokens }]),
    ]);

  await t.step("at midnight: all its calls count on the day on which it has begun", async () => {
    const day = await set(20_000, "day");
    const { message_id } = await begin();
    // As if it were the day after.
    await postgres.exec(`
      update private.budget_uses set starts_on = starts_on - 1;
      update private.budget_reservations set expires_at = now() + interval '1 minute', entries = array(
        select row(each.place, each.budget_id, each.user_hash, each.starts_on - 1, each.last_lane, each.unit, each.has_row, each.reserved, each.used)::private.budget_entry
        from unnest(entries) as each
      )`);
    const plan = { input_tokens: 1_000, output_limit: 500 };
    assertEquals((await value("select extend_reservation($1, $2)", [message_id, plan])).is_budgeted, true);
    const isLonger =
      "select expires_at > now() + interval '5 minutes' from private.budget_reservations where run_id = $1";
    assertEquals(await value(isLonger, [message_id]), true);
    // What is left of yesterday is too little: the budget of today does not help.
    const much = { input_tokens: 1_000, output_limit: 19_000 };
    assertEquals((await value("select extend_reservation($1, $2)", [message_id, much])).error, "budget_exhausted");
    await end(message_id, 1_500, 100);
    assertEquals(await state(), { used: 0, reserved: 0 });
    const { rows } = await postgres.query(
      `select starts_on = private.period_start('day') - 1 as is_past, sum(used)::int as used, sum(reserved)::int as reserved
       from private.budget_uses group by 1`,
    );
    assertEquals(rows, [{ is_past: true, used: 1_600, reserved: 0 }]);
    await value("select remove_budget($1)", [day.id]);
  });

  await t.step("removed: it goes on, and a new budget begins at nothing", async () => {
    const { id } = await set(20_000, "total");
    const [{ message_id }, other] = [await begin(), await begin()];
    await value("select remove_budget($1)", [id]);
    const plan = { input_tokens: 1_000, output_limit: 500 };
    assertEquals(await value("select extend_reservation($1, $2)", [message_id, plan]), {
      is_budgeted: true,
      output_tokens: null,
    });
    await end(message_id, 1_500);
    await set(20_000, "total");
    await end(other.message_id, 1_500);
    assertEquals(await state(), { used: 0, reserved: 0 });
    assertEquals(await value("select count(*)::int from private.budget_reservations"), 0);
  });

  await t.step("lowered below what it has reserved: it counts in full, and nothing else runs", async () => {
    const { message_id } = await begin();
    await set(2_000, "total");
    assertEquals((await begin()).error, "budget_exhausted");
    await end(message_id, 1_500, 4_000);
    assertEquals(await state(), { used: 5_500, reserved: 0 });
  });

  await t.step("settled with counts below zero, it gives nothing back", async () => {
    await set(50_000, "total");
    const runId = crypto.randomUUID();
    await value("select reserve_work($1, $2, $3)", [prepared.coachId, runId, {
      model: "m",
      input_tokens: 500,
      output_limit: 300,
    }]);
    await value("select settle_work($1)", [{ run_id: runId, input_tokens: -4_000, output_tokens: -4_000 }]);
    assertEquals(await state(), { used: 5_500, reserved: 0 });
  });
});

Deno.test("anonymous users", async (t) => {
  await using prepared = await prepare();
  const { value, accountId, coachId, set } = prepared;
  /** Uses all that a user has, and returns the refusal. */
  async function visit(user_id: string, is_anonymous: boolean): Promise<string | null> {
    const run_id = crypto.randomUUID();
    const begun = await value("select begin_turn($1, $2, $3)", [
      { account_id: accountId, user_id, is_anonymous },
      user_id,
      {
        ...{ run_id, coach_id: coachId, content: "Q", title: "Q", request_id: "r" },
        plan: { model: "m", input_tokens: 1_000 },
      },
    ]);
    if (begun.error !== undefined) return begun.error;
    const save = { message_id: run_id, run_id, status: "complete", input_tokens: 9_000, output_tokens: 1_000 };
    await value("select save_turns($1)", [JSON.stringify([save])]);
    return null;
  }
  const visitors = Array.from({ length: 11 }, (_, index) => `visitor-${index}`);

  await t.step("have the amount of a user each, and ten times as much together", async () => {
    await set(10_000, "day", ", each_user => true");
    assertEquals(await visit(visitors[0]!, true), null);
    assertEquals(await visit(visitors[0]!, true), "budget_exhausted");
    for (const visitor of visitors.slice(1, 10)) assertEquals(await visit(visitor, true), null);
    assertEquals(await visit(visitors[10]!, true), "budget_exhausted");
    // Whoever has signed up is not one of them.
    assertEquals(await visit("member", false), null);
  });

  await t.step("or as much as is set", async () => {
    await set(10_000, "day", ", each_user => true, anonymous_amount => 120000");
    assertEquals(await visit(visitors[10]!, true), null);
    await set(10_000, "day", ", each_user => true, anonymous_amount => 110000");
    assertEquals(await visit("one more", true), "budget_exhausted");
  });
});

Deno.test("what anonymous users have asked while the expert was there", async (t) => {
  await using prepared = await prepare();
  const { value, postgres, accountId, coachId, set } = prepared;
  await postgres.exec("alter table auth.users add is_anonymous boolean not null default false");
  await set(100_000, "day", ", each_user => true");
  const server = { account_id: accountId };
  const plan = { model: "m", input_tokens: 1_000 };
  const sharedReserve = () =>
    value("select coalesce(sum(reserved), 0)::int from private.budget_uses where user_hash = 'anonymous'");

  for (const isAnonymous of [true, false]) {
    await t.step(isAnonymous ? "counts on what they share" : "of other users, only on their own", async () => {
      const userId = crypto.randomUUID();
      await postgres.query("insert into auth.users (id, is_anonymous) values ($1, $2)", [userId, isAnonymous]);
      const ask = (threadId: string | null) => {
        const turn = { run_id: crypto.randomUUID(), coach_id: coachId, thread_id: threadId, content: "Q", title: "Q" };
        const caller = { ...server, user_id: userId, is_anonymous: isAnonymous };
        return value("select begin_turn($1, $2, $3)", [caller, userId, { ...turn, request_id: "r", plan }]);
      };
      const { thread_id: threadId, message_id, allowance } = await ask(null);
      assert(allowance.output_tokens > 0);
      const end = {
        message_id,
        run_id: message_id,
        status: "complete",
        content: "A",
        input_tokens: 1,
        output_tokens: 1,
      };
      await value("select save_turns($1)", [JSON.stringify([end])]);
      await value("select take_over($1, null, $2)", [server, threadId]);
      assertEquals((await ask(threadId)).earlier.status, "waiting");
      await value("select release_thread($1, null, $2)", [server, threadId]);
      const before = await sharedReserve();
      const { turn } = await value("select take_waiting_turn($1, plan => $2)", [crypto.randomUUID(), plan]);
      assertEquals(turn.thread_id, threadId);
      assertEquals(await sharedReserve() > before, isAnonymous);
    });
  }
});

Deno.test("what webhooks are told of a budget", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, accountId, coachId, set } = prepared;
  await value("select set_webhook($1, 'https://example.com/hook')", [accountId]);
  const use = async (tokens: number) => {
    const runId = crypto.randomUUID();
    await value("select reserve_work($1, $2, $3)", [coachId, runId, { model: "m", input_tokens: 1, output_limit: 1 }]);
    await value("select settle_work($1)", [{ run_id: runId, input_tokens: tokens, output_tokens: 0 }]);
  };
  /** The kinds of the messages since it was last called. */
  const told = async () =>
    await value(`with told as (delete from private.webhook_messages returning kind)
      select coalesce(json_agg(kind order by kind), '[]') from told`);

  await t.step("each once in a period, however often the same is set again", async () => {
    await set(1_000, "day", ", mode => 'warn'");
    await use(790);
    assertEquals(await told(), []);
    await use(100);
    await set(1_000, "day", ", mode => 'warn'");
    await use(1);
    assertEquals(await told(), ["budget.soft"]);
    await use(200);
    await set(1_000, "day", ", mode => 'warn'");
    await use(200);
    assertEquals(await told(), ["budget.reached"]);
  });

  await t.step("of other limits again, also if they are passed already", async () => {
    await set(2_000, "day", ", mode => 'warn'");
    await use(1);
    assertEquals(await told(), []);
    await set(100, "day", ", mode => 'warn'");
    await use(1);
    await use(1);
    assertEquals(await told(), ["budget.reached", "budget.soft"]);
  });

  await t.step("of a refusal by a budget that is not quite used up: that it is reached", async () => {
    await set(100, "total");
    const plan = { model: "m", input_tokens: 90, output_limit: 50 };
    for (const _ of [1, 2]) await value("select reserve_work($1, $2, $3)", [coachId, crypto.randomUUID(), plan]);
    assertEquals(await told(), ["budget.reached"]);
  });

  await t.step("nothing of a refusal by what others have only reserved", async () => {
    await postgres.exec("delete from public.budgets");
    await set(100, "total");
    const plan = { model: "m", input_tokens: 40, output_limit: 10 };
    const reserve = async () =>
      (await value("select reserve_work($1, $2, $3)", [coachId, crypto.randomUUID(), plan])).error;
    assertEquals([await reserve(), await reserve(), await reserve()], [undefined, undefined, "budget_exhausted"]);
    assertEquals(await told(), []);
  });

  await t.step("at exactly the limit, the soft one as the other, and not one token earlier", async () => {
    for (
      const [amount, soft, used, kinds] of [
        [1_001, 80, 800, []],
        [1_001, 80, 801, ["budget.soft"]],
        [1_002, 50, 501, ["budget.soft"]],
        [1_003, 1, 11, ["budget.soft"]],
        [1_004, 80, 1_003, ["budget.soft"]],
        [1_005, 80, 1_005, ["budget.reached", "budget.soft"]],
        [1_006, 100, 1_005, []],
        [1_007, 100, 1_007, ["budget.reached", "budget.soft"]],
      ] as const
    ) {
      await postgres.exec("delete from public.budgets");
      await set(amount, "day", `, mode => 'warn', soft_percent => ${soft}`);
      await use(used);
      assertEquals(await told(), kinds, `${used} of ${amount}, soft from ${soft} %`);
    }
  });

  await t.step("of another soft limit again", async () => {
    await postgres.exec("delete from public.budgets");
    await set(1_000, "day", ", mode => 'warn', soft_percent => 50");
    await use(600);
    assertEquals(await told(), ["budget.soft"]);
    await set(1_000, "day", ", mode => 'warn', soft_percent => 60");
    await use(1);
    assertEquals(await told(), ["budget.soft"]);
  });
});
