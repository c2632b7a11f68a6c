import { sha256Hex } from "../../shared/core/auth/digest.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { createRacingDatabase, insertTenant } from "../support/racing_database.ts";

/** On one connection there are no races: these tests need the native Postgres that `DATABASE_URL` names. */
const server = Deno.env.get("DATABASE_URL");
const connections = 24;

/** A database with an account, two coaches, two keys and budgets of every scope. */
async function prepare(amount: number) {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createRacingDatabase(server!, connections));
  const { pool, value } = database;
  const fields = { model: "m", max_output_tokens: 500 };
  const { accountId, coaches, keys } = await insertTenant(database, { requestsPerMinute: 100_000, fields });
  await pool.query("insert into model_prices (model, input_price, output_price) values ('m', 1, 2)");
  const set = (more: object) => {
    const budget = { account_id: accountId, unit: "tokens", amount, period: "day", ...more };
    const names = Object.keys(budget).map((name, index) => `${name} => $${index + 1}`);
    return value(`select set_budget(${names})`, Object.values(budget));
  };
  const whole = await set({});
  await value("select set_webhook($1, 'https://example.com/hook')", [accountId]);
  for (const each_user of [false, true]) {
    if (each_user) await set({ each_user });
    for (const coach of coaches) await set({ coach, each_user, unit: "micro_usd" });
    for (const { id } of keys) await set({ api_key: id, each_user });
  }
  /** Begins a turn as a request does: the same call admits and counts it. */
  const begin = async (runId: string, coach: string, key: { api_key: string }, user: string) => {
    const caller = { key_digest: sha256Hex(key.api_key), scope: "chat", is_counted: true };
    const { result } = await value("select begin_turn($1, $2, $3)", [caller, user, {
      run_id: runId,
      coach_id: coach,
      content: "Q",
      title: "Q",
      request_id: "r",
      plan: { input_tokens: 1_000 },
    }]);
    return result;
  };
  const end = (turns: { messageId: string; input?: number }[]) =>
    value("select save_turns($1)", [JSON.stringify(turns.map(({ messageId, input }) => ({
      message_id: messageId,
      run_id: messageId,
      status: "complete",
      content: "A",
      ...(input === undefined ? {} : { input_tokens: input, output_tokens: 10 }),
    })))]);
  return handOver(stack, { pool, value, accountId, coaches, keys, set, whole, begin, end });
}

Deno.test({ name: "turns of many connections at once", ignore: !server }, async (t) => {
  await t.step("all kinds of ends together: no deadlock, and what is used is the sum of the turns", async () => {
    await using prepared = await prepare(10_000_000);
    const { value, set, coaches, keys, whole, begin, end } = prepared;
    await set({ unit: "micro_usd", amount: 5_000, period: "total", mode: "warn" });
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
    // Many turns have passed 80 and 100 percent of the small one at once.
    const told = await value("select json_agg(kind order by kind) from private.webhook_messages");
    assertEquals(told, ["budget.reached", "budget.soft"]);
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

  await t.step(
    "from far below its limit to the limit: the last that fits begins, and nothing is reserved beyond",
    async () => {
      const amount = 400_000;
      await using prepared = await prepare(amount);
      const { coaches, keys, begin, value, whole } = prepared;
      const replies = await Promise.all(
        Array.from(
          { length: 400 },
          (_, turn) => begin(crypto.randomUUID(), coaches[turn % 2]!, keys[turn % 2]!, `user ${turn}`),
        ),
      );
      const begun = replies.filter(({ error }) => error === undefined).length;
      const [{ reserved }] = await value("select list_budgets(budget => $1)", [whole.id]);
      assertEquals(await value("select count(*)::int from private.budget_reservations"), begun);
      assert(reserved <= amount, `${reserved} of ${amount}`);
      assert(
        amount - reserved < reserved / begun,
        `${begun} turns have reserved ${reserved}: there is room for one more`,
      );
      // In all lanes.
      const lanes = await value("select count(*)::int from private.budget_uses where budget_id = $1 and reserved > 0", [
        whole.id,
      ]);
      assertEquals(lanes, 4);
    },
  );
});

Deno.test({ name: "turns of many connections, while operators change everything", ignore: !server }, async () => {
  await using prepared = await prepare(10_000_000);
  const { pool, value, accountId, coaches, keys, set, whole, begin, end } = prepared;
  const pick = <Item>(items: Item[]) => items[Math.floor(Math.random() * items.length)]!;
  const errors: string[] = [];
  let spent = 0;
  let isOver = false;

  async function take(): Promise<void> {
    for (let round = 0; round < 30; round++) {
      const turns = [];
      for (let turn = 0; turn < 2; turn++) {
        const messageId = crypto.randomUUID();
        const begun = await begin(messageId, pick(coaches), pick(keys), pick(["a", "b", "c", "d"]));
        if (begun.error !== undefined) throw new Error(begun.error);
        if (Math.random() < 0.3) {
          await value("select extend_reservation($1, $2)", [messageId, { input_tokens: 1_000, output_limit: 500 }]);
        }
        const input = 100 + Math.floor(Math.random() * 1_000);
        spent += input + 10;
        turns.push({ messageId, input });
      }
      await end(turns);
    }
  }
  /** Does something again and again until all turns are over. */
  async function repeat(act: () => Promise<unknown>): Promise<void> {
    while (!isOver) await act().catch((error) => errors.push(String(error)));
  }
  const others = [
    // Each user's amount comes and goes, with rows that turns are just making.
    () => set({ each_user: true, period: "week" }).then(({ id }) => value("select remove_budget($1)", [id])),
    () => set({ coach: pick(coaches), period: "total" }).then(({ id }) => value("select remove_budget($1)", [id])),
    () => set({ api_key: pick(keys).id, mode: pick(["warn", "block"]), amount: pick([9_000_000, 10_000_000]) }),
    () => value("select erase_user($1, $2)", [accountId, pick(["a", "b"])]).catch(ignoreUnknownUser),
    () => value("select take_indexing_work()"),
    () => value("select list_budgets()"),
  ].map(repeat);
  const ended = await Promise.allSettled(Array.from({ length: connections - others.length }, take));
  isOver = true;
  await Promise.all(others);
  assertEquals([...ended.flatMap((each) => each.status === "rejected" ? [String(each.reason)] : []), ...errors], []);
  const [state] = await value("select list_budgets(budget => $1)", [whole.id]);
  assertEquals({ used: state.used, reserved: state.reserved }, { used: spent, reserved: 0 });
  assertEquals((await pool.query("select 1 from private.budget_reservations")).rowCount, 0);
  assertEquals(await value("select coalesce(sum(reserved), 0)::int from private.budget_uses"), 0);
});

/** A user whose threads are all erased is none. */
function ignoreUnknownUser(error: Error): void {
  if (!error.message.includes("not found")) throw error;
}
