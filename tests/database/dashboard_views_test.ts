import { assertEquals } from "../support/assert.ts";
import { askForValue, beginTurn, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";
import { sentenceOf } from "../support/refusals.ts";

Deno.test("the views of the dashboard", async (t) => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const rows = async (sql: string, parameters: unknown[] = []) =>
    (await postgres.query<Record<string, unknown>>(sql, parameters)).rows;
  const insertFile = (name: string, fields: Record<string, string | null>) => {
    const names = Object.keys(fields);
    return value(
      `insert into knowledge_files (account_id, coach_id, name, size, content_type, category, digest, storage_path
         ${names.map((field) => `, ${field}`).join("")})
       values ($1, $2, $3, 1, 'text/plain', 'documents', encode(sha256(convert_to($3, 'UTF8')), 'hex'), $3
         ${names.map((_, index) => `, $${index + 4}`).join("")})
       returning id`,
      [accountId, coachId, name, ...Object.values(fields)],
    );
  };
  const answerOf = async (error: string | null, age: string) => {
    const thread = await value("insert into threads (coach_id, user_id) values ($1, 'u') returning id", [coachId]);
    return await value(
      `insert into messages (thread_id, role, status, error, request_id, created_at)
       values ($1, 'assistant', $2, $3, 'req-1', now() - $4::interval) returning id`,
      [thread, error === null ? "complete" : "failed", error, age],
    );
  };

  await t.step("usage_daily names account, key and coach", async () => {
    const key = await value("select issue_api_key($1, 'server')", [accountId]);
    const digest = await value("select digest from private.api_keys");
    await value("select admit_request($1)", [{ key_digest: digest }]);
    const { message_id } = await beginTurn(postgres, { account_id: accountId, coach_id: coachId, api_key_id: key.id });
    await value("select save_turns($1)", [
      JSON.stringify([{
        message_id,
        run_id: message_id,
        content: "Hello",
        status: "complete",
        input_tokens: 5,
        output_tokens: 2,
      }]),
    ]);
    const shown = await rows(`
      select account_name, api_key_name, api_key_prefix, coach_name, requests, refusals, turns, input_tokens, output_tokens
      from usage_daily order by requests desc
    `);
    const names = { account_name: "Test", api_key_name: "server", api_key_prefix: key.prefix };
    assertEquals(shown, [
      { ...names, coach_name: null, requests: 1, refusals: 0, turns: 0, input_tokens: 0, output_tokens: 0 },
      { ...names, coach_name: "Ada", requests: 0, refusals: 0, turns: 1, input_tokens: 5, output_tokens: 2 },
    ]);
  });

  await t.step("usage stays when the key and the messages are deleted", async () => {
    await postgres.exec("delete from messages; delete from threads; delete from private.api_keys");
    const [counts] = await rows(
      "select sum(requests)::integer as requests, sum(turns)::integer as turns from usage_daily",
    );
    assertEquals(counts, { requests: 1, turns: 1 });
  });

  await t.step("recent_errors lists the failed answers and files of a week, newest first", async () => {
    await answerOf(sentenceOf("model_unavailable"), "2 hours");
    await answerOf("Too long ago", "8 days");
    await answerOf(null, "1 hour");
    await insertFile("broken.pdf", { status: "failed", error: "The file is damaged", request_id: "req-2" });
    await insertFile("late.pdf", { status: "queued", error: "The embedding model is unavailable" });
    await insertFile("scan.pdf", { status: "empty", error: "No text" });
    await insertFile("fine.pdf", { status: "ready", error: "1 of 3 pages has no text" });
    const shown = await rows(
      "select kind, error, request_id, account_name, coach_name from recent_errors order by occurred_at desc, error",
    );
    const names = { account_name: "Test", coach_name: "Ada" };
    assertEquals(shown, [
      { kind: "file", error: "The embedding model is unavailable", request_id: null, ...names },
      { kind: "file", error: "The file is damaged", request_id: "req-2", ...names },
      { kind: "answer", error: sentenceOf("model_unavailable"), request_id: "req-1", ...names },
    ]);
  });

  await t.step("recent_errors shows models that end, until the last check is a week old", async () => {
    await postgres.exec("delete from messages; delete from knowledge_files");
    const check = (age: string) =>
      value("update model_checks set warnings = $1, checked_at = now() - $2::interval returning true", [
        JSON.stringify([
          { setting: "OPENAI_MODEL", model: "a", kind: "ends", date: "9999-12-31" },
          { setting: "OPENAI_VISION_MODEL", model: "b", kind: "ends", date: "2020-01-01" },
          { setting: "coach_profiles.model", model: "of no coach", kind: "missing", date: null },
        ]),
        age,
      ]);
    const shown = () =>
      rows("select kind, error, account_name, coach_name, error_code, request_id from recent_errors order by error");
    await check("6 days");
    const others = { kind: "model", account_name: null, coach_name: null, error_code: null, request_id: null };
    assertEquals(await shown(), [
      { error: "OPENAI_MODEL: the model a ends on 9999-12-31. Set it to one that stays.", ...others },
      { error: "OPENAI_VISION_MODEL: the model b ended on 2020-01-01. Set it to one that stays.", ...others },
    ]);
    await check("8 days");
    assertEquals(await shown(), []);
  });

  await t.step("knowledge_health lists the files that cannot be found by their content, with the reason", async () => {
    await postgres.exec("delete from knowledge_files");
    await insertFile("broken.pdf", { status: "failed", error: "The file is damaged" });
    await insertFile("scan.pdf", { status: "empty", error: null });
    await insertFile("silent.mp4", { status: "empty", error: "Nothing is said in it" });
    await insertFile("forgotten.txt", { status: "queued", due_at: "2020-01-01" });
    await insertFile("retried.txt", { status: "queued", due_at: "2020-01-01", error: "Storage is unavailable" });
    await insertFile("new.txt", { status: "queued" });
    await insertFile("fine.txt", { status: "ready", due_at: null });
    const shown = await rows(
      "select filename, problem, reason, account_name, coach_name from knowledge_health order by filename",
    );
    const names = { account_name: "Test", coach_name: "Ada" };
    assertEquals(shown, [
      { filename: "broken.pdf", problem: "failed", reason: "The file is damaged", ...names },
      { filename: "forgotten.txt", problem: "waiting", reason: "The indexer has not taken it up", ...names },
      { filename: "retried.txt", problem: "waiting", reason: "Storage is unavailable", ...names },
      { filename: "scan.pdf", problem: "empty", reason: "No text was found in it", ...names },
      { filename: "silent.mp4", problem: "empty", reason: "Nothing is said in it", ...names },
    ]);
  });
});
