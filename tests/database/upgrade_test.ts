import { assertEquals } from "deno-std/assert/mod.js";
import { askForValue, createProjectPostgres, insertCoach, migrate } from "../support/migrated_postgres.ts";

Deno.test("a project with data, upgraded to count usage", async (t) => {
  const counted = "20261122000100";
  await using postgres = await createProjectPostgres();
  const value = askForValue(postgres);
  await migrate(postgres, { before: counted });
  const { accountId, coachId } = await insertCoach(postgres);
  const { api_key } = await value("select issue_api_key($1, 'server')", [accountId]);
  const thread = await value("insert into threads (coach_id, user_id) values ($1, 'u') returning id", [coachId]);
  await postgres.query(
    `insert into messages (thread_id, role, status, input_tokens, output_tokens, created_at) values
       ($1, 'user', 'complete', null, null, '2026-11-01 23:59Z'),
       ($1, 'assistant', 'complete', 10, 2, '2026-11-01 23:59Z'),
       ($1, 'assistant', 'failed', null, null, '2026-11-02 00:00Z'),
       ($1, 'assistant', 'complete', 5, 1, '2026-11-02 00:01Z'),
       ($1, 'assistant', 'streaming', null, null, '2026-11-02 00:02Z')`,
    [thread],
  );
  await migrate(postgres, { from: counted });

  await t.step("has the turns and tokens of before, by day and without a key", async () => {
    const { rows } = await postgres.query(`
      select day::text, api_key_id, coach_id, requests, turns, input_tokens, output_tokens from usage_daily order by day
    `);
    const rest = { api_key_id: null, coach_id: coachId, requests: 0 };
    assertEquals(rows, [
      { day: "2026-11-01", ...rest, turns: 1, input_tokens: 10, output_tokens: 2 },
      { day: "2026-11-02", ...rest, turns: 2, input_tokens: 5, output_tokens: 1 },
    ]);
  });

  await t.step("admits its old keys, and goes on for functions that are not deployed anew yet", async () => {
    const digest = await value("select encode(sha256(convert_to($1, 'UTF8')), 'hex')", [api_key]);
    const admitted = await value("select admit_request(key_digest => $1, is_counted => true)", [digest]);
    assertEquals([admitted.account_id, admitted.spent.is_allowed], [accountId, true]);
    const begun = await value(
      `select begin_turn(account_id => $1, thread_id => null, coach_id => $2, user_id => 'u', content => 'Hi',
         title => 'Hi', mode => null, request_id => 'r', is_signed_in => false, is_expert_action => false,
         query_vector => null, run_id => gen_random_uuid(), idempotency_key => null, fingerprint => null)`,
      [accountId, coachId],
    );
    assertEquals(typeof begun.message_id, "string");
    const { upload_id } = await value("select begin_upload($1, $2, null)", [accountId, coachId]);
    const ended = await value(
      `select end_upload(upload_id => $1, coach_id => $2, objects => 0, files => '[]', account_id => $3,
         user_id => null, idempotency_key => null, fingerprint => null)`,
      [upload_id, coachId, accountId],
    );
    assertEquals(ended, []);
  });
});
