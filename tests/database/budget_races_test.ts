import pg from "pg";
import { createNativePostgres } from "../bench/native_postgres.ts";
import { assert, assertEquals } from "../support/assert.ts";

/** On one connection there are no races: these tests need the native Postgres that `DATABASE_URL` names. */
const server = Deno.env.get("DATABASE_URL");
const connections = 24;

/** A database with an account, two coaches, two keys and budgets of every scope. */
async function prepare(amount: number) {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createNativePostgres(server!));
  const pool = new pg.Pool({ connectionString: database.url, max: connections });
  // When the database is dropped, the server may be quicker than the pool.
  pool.on("error", () => {});
  stack.defer(() => pool.end());
  // deno-lint-ignore no-explicit-any
  const value = async (sql: string, parameters: unknown[] = []): Promise<any> =>
    Object.values((await pool.query(sql, parameters)).rows[0] ?? {})[0];
  const accountId = await value("insert into accounts (name) values ('Test') returning id");
  const coaches: string[] = [];
  const keys: string[] = [];
  for (const name of ["one", "two"]) {
    coaches.push(
      await value(
        `insert into coach_profiles (account_id, name, title, instructions, model, max_output_tokens)
       values ($1, $2, 'Coach', 'Teach.', 'm', 500) returning id`,
        [accountId, name],
      ),
    );
    keys.push((await value("select issue_api_key($1, $2)", [accountId, name])).id);
  }
  await pool.query("insert into model_prices (model, input_price, output_price) values ('m', 1, 2)");
  const set = (more: object) => {
    const budget = { account_id: accountId, unit: "tokens", amount, period: "day", ...more };
    const names = Object.keys(budget).map((name, index) => `${name} => $${index + 1}`);
    return value(`select set_budget(${names})`, Object.values(budget));
  };
  const whole = await set({});
  for (const each_user of [false, true]) {
    if (each_user) await set({ each_user });
    for (const coach of coaches) await set({ coach, each_user, unit: "micro_usd" });
    for (const api_key of keys) await set({ api_key, each_user });
  }
  const begin = (runId: string, coach: string, key: string, user: string) =>
    value("select begin_turn($1, $2, $3)", [{ account_id: accountId, api_key_id: key }, user, {
      run_id: runId,
      coach_id: coach,
      content: "Q",
      title: "Q",
      request_id: "r",
      plan: { input_tokens: 1_000 },
    }]);
  const end = (turns: { messageId: string; input?: number }[]) =>
    value("select save_turns($1)", [JSON.stringify(turns.map(({ messageId, input }) => ({
      message_id: messageId,
      run_id: messageId,
      status: "complete",
      content: "A",
      ...(input === undefined ? {} : { input_tokens: input, output_tokens: 10 }),
    })))]);
  const resources = stack.move();
  return {
    pool,
    value,
    accountId,
    coaches,
    keys,
    whole,
    begin,
    end,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

Deno.test({ name: "turns of many connections at once", ignore: !server }, async (t) => {
  await t.step("all kinds of ends together: no deadlock, and what is used is the sum of the turns", async () => {
    await using prepared = await prepare(10_000_000);
    const { value, coaches, keys, whole, begin, end } = prepared;
    let spent = 0;
    const pick = <Item>(items: Item[]) => items[Math.floor(Math.random() * items.length)]!;
    async function run(): Promise<void> {
      for (let round = 0; round < 20; round++) {
        // Two turns end together, of any coaches, keys and users: their rows are locked in one order.
        const turns = [];
        for (let turn = 0; turn < 2; turn++) {
          const messageId = crypto.randomUUID();
          await begin(messageId, pick(coaches), pick(keys), pick(["a", "b", "c"]));
          if (Math.random() < 0.3) {
            await value("select extend_reservation($1, $2)", [messageId, { input_tokens: 1_000, output_limit: 500 }]);
          }
          const input = 100 + Math.floor(Math.random() * 1_000);
          spent += input + 10;
          turns.push({ messageId, input });
        }
        if (Math.random() < 0.1) await value("select take_indexing_work()");
        await end(turns);
      }
    }
    const ended = await Promise.allSettled(Array.from({ length: connections }, run));
    assertEquals(ended.flatMap((each) => each.status === "rejected" ? [String(each.reason)] : []), []);
    const [state] = await value("select list_budgets(budget => $1)", [whole.id]);
    assertEquals({ used: state.used, reserved: state.reserved }, { used: spent, reserved: 0 });
    assertEquals(await value("select count(*)::int from private.budget_reservations"), 0);
    assertEquals(await value("select sum(reserved)::int from private.budget_uses"), 0);
    // Every scope has counted every turn once.
    const sums = await value(`
      select json_agg(sum) from (
        select sum(use.used)::int from private.budget_uses as use join budgets as budget on budget.id = use.budget_id
        where budget.unit = 'tokens' group by budget.coach_id is null, budget.key_lineage_id is null, budget.is_each_user
      ) as summed`);
    assertEquals(sums, sums.map(() => spent));
  });

  await t.step("on a budget for one turn, one begins: whichever budget it is", async () => {
    await using prepared = await prepare(3_000);
    const { coaches, keys, begin, value, whole } = prepared;
    const replies = await Promise.all(
      Array.from({ length: connections }, () => begin(crypto.randomUUID(), coaches[0]!, keys[0]!, "a")),
    );
    assertEquals(replies.filter(({ error }) => error === undefined).length, 1);
    assertEquals(replies.filter(({ error }) => error === "budget_exhausted").length, connections - 1);
    const [state] = await value("select list_budgets(budget => $1)", [whole.id]);
    assert(state.reserved > 1_500 && state.reserved <= 3_000, JSON.stringify(state));
    assertEquals(await value("select count(*)::int from messages"), 2);
  });
});
