import { assertEquals } from "../support/assert.ts";
import { askForValue, beginTurn, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

Deno.test("responses to remove", async (t) => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const take = async () => (await value("select take_indexing_work()")).responses.toSorted();
  const listed = () => value("select count(*)::integer from private.response_removals");
  const put = (ids: string[], age = "0") =>
    value(
      `insert into private.response_removals (response_id, created_at, due_at)
       select id, now() - $2::interval, now() - $2::interval from unnest($1::text[]) as id`,
      [ids, age],
    );

  await t.step("are handed out once, and again after five minutes", async () => {
    await put(["a", "b"]);
    assertEquals(await take(), ["a", "b"]);
    assertEquals(await take(), []);
    await value("update private.response_removals set due_at = due_at - interval '5 minutes'");
    assertEquals(await take(), ["a", "b"]);
  });
  await t.step("are deleted from the list when they are done", async () => {
    await value("select end_response_removals('{a,b,never-heard-of}')");
    assertEquals(await listed(), 0);
  });
  await t.step("are dropped after 30 days, when the backend has deleted them too", async () => {
    await put(["old"], "30 days 1 minute");
    await put(["young"], "29 days");
    assertEquals(await take(), ["young"]);
    assertEquals(await listed(), 1);
  });
  await t.step("are handed out at most 200 a sweep, longest due first", async () => {
    await value("delete from private.response_removals");
    await put(Array.from({ length: 250 }, (_, index) => `new-${index}`));
    await put(["first"], "1 day");
    const taken = await take();
    assertEquals([taken.length, taken.includes("first")], [200, true]);
  });
});

Deno.test("responses to remove, from runs whose end was not accepted", async (t) => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const listed = async (): Promise<
    string[]
  > => (await value(
    "select coalesce(array_agg(response_id order by response_id), '{}') from private.response_removals",
  ));
  /** A turn that can be begun again, each time by another run. */
  function createTurn() {
    const key = crypto.randomUUID();
    return async (runId: string) =>
      (await beginTurn(postgres, {
        account_id: accountId,
        coach_id: coachId,
        run_id: runId,
        idempotency_key: key,
        fingerprint: "f",
      })).message_id as string;
  }
  const save = (turn: Record<string, unknown>) =>
    value("select save_turns($1)", [JSON.stringify([{ content: "", ...turn }])]);
  const clear = () => value("delete from private.response_removals");

  await t.step(
    "a turn that is begun again lists the responses of the run before, including those with tool calls",
    async () => {
      const begin = createTurn();
      const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
      const message_id = await begin(first);
      await save({ message_id, run_id: first, status: "failed", response_id: "b", other_response_ids: ["a"] });
      assertEquals(await listed(), []);
      assertEquals(await begin(second), message_id);
      assertEquals(await listed(), ["a", "b"]);
      assertEquals(await value("select other_response_ids from messages where id = $1", [message_id]), null);

      await clear();
      // The first run was only slow.
      await save({ message_id, run_id: first, status: "complete", response_id: "d", other_response_ids: ["c"] });
      assertEquals(await listed(), ["c", "d"]);
      await clear();
      await save({ message_id, run_id: second, status: "complete", response_id: "e" });
      assertEquals(await listed(), []);
    },
  );

  await t.step("an answer stopped by force lists the responses that its run saves later", async () => {
    const run_id = crypto.randomUUID();
    const message_id = await createTurn()(run_id);
    await value("select stop_turn($1, null, $2, true)", [{ account_id: accountId }, message_id]);
    await save({ message_id, run_id, status: "failed", response_id: "b", other_response_ids: ["a"] });
    assertEquals(await listed(), ["a", "b"]);
    await clear();
  });

  await t.step("an answer that a reader completed keeps that response, and lists the others", async () => {
    const run_id = crypto.randomUUID();
    const message_id = await createTurn()(run_id);
    await value("update messages set updated_at = now() - interval '1 minute' where id = $1", [message_id]);
    await save({ message_id, status: "complete", content: "Whole", response_id: "a" });
    await save({
      message_id,
      run_id,
      status: "complete",
      content: "Whole",
      response_id: "b",
      other_response_ids: ["a"],
    });
    assertEquals(await listed(), ["b"]);
    await clear();
  });

  await t.step("ids of 1,000 characters are stored and listed as they are", async () => {
    const run_id = crypto.randomUUID();
    const message_id = await createTurn()(run_id);
    // Random: an index would compress what repeats itself.
    const newId = () => `=+/${crypto.getRandomValues(new Uint8Array(750)).toBase64()}`.slice(0, 999) + "=";
    const [response_id, other] = [newId(), newId()];
    await save({ message_id, run_id, status: "complete", response_id, other_response_ids: [other] });
    const stored = "select to_json(array[response_id, other_response_ids[1]]) from messages where id = $1";
    assertEquals(await value(stored, [message_id]), [response_id, other]);
    await value("delete from messages where id = $1", [message_id]);
    assertEquals((await listed()).toSorted(), [response_id, other].toSorted());
    assertEquals((await value("select take_indexing_work()")).responses.toSorted(), [response_id, other].toSorted());
    await value("select end_response_removals($1)", [[response_id, other]]);
    assertEquals(await listed(), []);
  });

  await t.step("an end that arrives twice lists nothing", async () => {
    const run_id = crypto.randomUUID();
    const message_id = await createTurn()(run_id);
    const end = { message_id, run_id, status: "complete", response_id: "b", other_response_ids: ["a"] };
    await save(end);
    await save(end);
    assertEquals(await listed(), []);
  });
});
