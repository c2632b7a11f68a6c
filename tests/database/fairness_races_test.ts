import { assertEquals } from "../support/assert.ts";
import { createRacingDatabase, insertTenant } from "../support/racing_database.ts";

/** On one connection nobody waits: these tests need the native Postgres that `DATABASE_URL` names. */
const server = Deno.env.get("DATABASE_URL");

/** Two accounts, each with a coach that has a pinned answer, and something in the ledger. */
async function prepare() {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createRacingDatabase(server!, 24));
  const tenants = [];
  for (const _ of [1, 2]) {
    const { accountId, coaches: [coachId] } = await insertTenant(database, { requestsPerMinute: 1_000 });
    tenants.push({ caller: { account_id: accountId }, coachId: coachId! });
    await database.value("insert into private.ledger (account_id, coach_id, turns) values ($1, $2, 1)", [
      accountId,
      coachId,
    ]);
  }
  const resources = stack.move();
  /** Runs a call in a transaction of its own, which fails if it waits for a lock, and leaves it open. */
  const hold = async (sql: string, parameters: unknown[]) => {
    const session = await database.pool.connect();
    resources.defer(async () => {
      await session.query("rollback");
      session.release();
    });
    await session.query("begin; set local lock_timeout = '5s'");
    return Object.values((await session.query(sql, parameters)).rows[0]!)[0];
  };
  return { tenants, hold, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

type Tenant = Awaited<ReturnType<typeof prepare>>["tenants"][number];
type Call = [sql: string, parameters: (tenant: Tenant) => unknown[]];

const why = { content: "Why?", language: "english", key: crypto.randomUUID(), words: ["why"], content_words: [] };

/** Calls that may work long. */
const longCalls: Record<string, Call> = {
  "a part of a sheet": ["select import_pinned_answers($1, null, $2, $3)", ({ caller, coachId }) => [
    caller,
    coachId,
    JSON.stringify([{ question: "Why?", answer: "So.", asked: [why] }]),
  ]],
  "all pinned answers": ["select list_pinned_answers($1, null, $2)", ({ caller, coachId }) => [caller, coachId]],
  "a run of all tests": [
    "select start_test_run($1, null, $2, false, null)",
    ({ caller, coachId }) => [caller, coachId],
  ],
  "another language": ["select save_draft($1, null, $2, $3, null, null)", ({ caller, coachId }) => [
    caller,
    coachId,
    { language: "german" },
  ]],
};

/** What everybody calls all the time. */
const usualCalls: Record<string, Call> = {
  "a turn begins": ["select begin_turn($1, 'u', $2)", ({ caller, coachId }) => [caller, {
    run_id: crypto.randomUUID(),
    coach_id: coachId,
    content: "Q",
    title: "Q",
    request_id: "r",
  }]],
  "an answer is pinned": [
    `select create_pinned_answer($1, null, $2, jsonb_build_array(jsonb_build_object('content', gen_random_uuid())), 'So.', true)`,
    ({ caller, coachId }) => [caller, coachId],
  ],
  "pinned answers are listed": ["select list_pinned_answers($1, null, $2, page_size => 20)", ({ caller, coachId }) => [
    caller,
    coachId,
  ]],
  "the overview": [
    "select read_overview($1, null, $2, current_date, array[now(), now(), now()])",
    ({ caller, coachId }) => [caller, coachId],
  ],
  "the usage": ["select read_coach_usage($1, $2, current_date, array[now(), now()])", ({ caller, coachId }) => [
    caller,
    coachId,
  ]],
  "the work of a sweep": ["select take_indexing_work()", () => []],
};

Deno.test({ name: "nobody waits for the long calls of another account", ignore: !server }, async (t) => {
  for (const [name, [sql, parameters]] of Object.entries(longCalls)) {
    await using prepared = await prepare();
    const { tenants: [busy, other], hold } = prepared;
    await hold(sql, parameters(busy!));
    for (const [usual, [asked, of]] of Object.entries(usualCalls)) {
      await t.step(`${name}: ${usual}`, async () => void await hold(asked, of(other!)));
    }
  }

  await t.step("of two sheets, one is told to come again, and so is a preview", async () => {
    await using prepared = await prepare();
    const { tenants: [busy, other], hold } = prepared;
    const [sheet, of] = longCalls["a part of a sheet"]!;
    const ids = await hold(sheet, of(busy!)) as string[];
    assertEquals(ids.length, 1);
    assertEquals(await hold(sheet, of(busy!)), null);
    assertEquals(await hold(sheet, of(other!)), null);
    const preview = "select compare_pinned_answers($1, null, $2, 'english', '[[null]]')";
    assertEquals(await hold(preview, [other!.caller, other!.coachId]), null);
  });

  await t.step("the comparison of a sheet locks no row and no answers of its coach", async () => {
    await using prepared = await prepare();
    const { tenants: [busy], hold } = prepared;
    await hold("select compare_pinned_answers($1, null, $2, 'english', '[[null]]')", [busy!.caller, busy!.coachId]);
    for (const [asked, of] of Object.values(usualCalls)) await hold(asked, of(busy!));
  });
});
