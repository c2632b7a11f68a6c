import { assertEquals } from "../support/assert.ts";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

Deno.test("indexing a file again", async (t) => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  await postgres.query(
    `insert into knowledge_files (account_id, coach_id, name, size, content_type, category, digest, storage_path, request_id)
     values ($1, $2, 'a.txt', 1, 'text/plain', 'documents', repeat('0', 64), 'path', 'req-1')`,
    [accountId, coachId],
  );
  const fileId: string = await value("select id from knowledge_files");
  const take = async () => (await value("select take_indexing_work()")).file;
  const save = (file: { claim: string }, from: number, words: string[], status: string, bookmark: unknown = null) =>
    value("select save_indexing($1, $2, $3, $4, $5, $6, null, false)", [
      fileId,
      file.claim,
      from,
      JSON.stringify(words.map((content) => ({ content }))),
      status,
      JSON.stringify(bookmark),
    ]);
  const found = (word: string) =>
    value("select count(*)::integer from search_passages($1, $2, 6, null, null)", [coachId, word]);
  const state = async () => (await postgres.query("select status, error from knowledge_files")).rows[0];
  /** Returns the seconds to wait after each time. */
  async function failThreeTimes() {
    const pauses: (number | null)[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      await value("select postpone_indexing($1, $2, 'Storage is away', false)", [fileId, (await take()).claim]);
      pauses.push(await value("select round(extract(epoch from due_at - now()))::integer from knowledge_files"));
      await value("update knowledge_files set due_at = now() where due_at is not null");
    }
    return pauses;
  }

  await t.step("the first time, the file has the request id of its upload", async () => {
    const file = await take();
    assertEquals(file.request_id, "req-1");
    await save(file, 0, ["Owls hunt at night"], "ready");
    assertEquals([await found("owls"), await state()], [1, { status: "ready", error: null }]);
  });

  await t.step("while it waits and is being read, it is found as before", async () => {
    await value("select reindex_file($1)", [fileId]);
    assertEquals([await found("owls"), (await state() as { status: string }).status], [1, "queued"]);
    await take();
    assertEquals(await found("owls"), 1);
  });

  await t.step("when Storage or a model fails every time, the file is failed and still found", async () => {
    await value("select reindex_file($1)", [fileId]);
    assertEquals(await failThreeTimes(), [30, 60, null]);
    assertEquals([await found("owls"), await state()], [1, { status: "failed", error: "Storage is away" }]);
    assertEquals(await take(), null);
  });

  await t.step("when its worker dies every time, the file is failed and still found", async () => {
    await value("select reindex_coach($1)", [coachId]);
    for (let attempt = 1; attempt <= 3; attempt++) {
      await take();
      await value("update knowledge_files set due_at = now()");
    }
    assertEquals(await take(), null);
    assertEquals([await found("owls"), (await state() as { status: string }).status], [1, "failed"]);
  });

  await t.step("new passages replace the old ones", async () => {
    await value("select reindex_file($1)", [fileId]);
    await save(await take(), 0, ["Gulls sleep on rocks"], "ready");
    assertEquals([await found("owls"), await found("gulls")], [0, 1]);
  });

  await t.step("when reading fails half-way, the new passages so far are deleted", async () => {
    await value("select reindex_file($1)", [fileId]);
    await save(await take(), 0, ["Larks sing"], "queued", { page: 2 });
    await failThreeTimes();
    assertEquals([await found("larks"), (await state() as { status: string }).status], [0, "failed"]);
  });
});
