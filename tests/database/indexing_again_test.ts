import { assertEquals } from "../support/assert.ts";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

type Claimed = { id: string; claim: string };

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
  /** What is being read: the file itself, or its next version. */
  const take = async () => (await value("select take_indexing_work()")).file;
  const save = (file: Claimed, from: number, words: string[], status: string, bookmark: unknown = null) =>
    value("select save_indexing($1, $2, $3, $4, $5, $6, null, false)", [
      file.id,
      file.claim,
      from,
      JSON.stringify(words.map((content) => ({ content }))),
      status,
      JSON.stringify(bookmark),
    ]);
  const found = (word: string) =>
    value("select count(*)::integer from search_passages($1, $2, 6, null, null)", [coachId, word]);
  const state = () =>
    value(
      `select json_build_array(file.status, file.version::text, next.status, next.error) from knowledge_files as file
       left join knowledge_files as next on next.replaces = file.id where file.id = $1`,
      [fileId],
    );
  const rename = (filename: string) =>
    value("select update_file($1, $2, null, $3, $4, 'text/plain')->>'filename'", [
      JSON.stringify({ account_id: accountId }),
      coachId,
      fileId,
      JSON.stringify({ filename }),
    ]);
  /** Returns the seconds to wait after each time. */
  async function failThreeTimes() {
    const pauses: (number | null)[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      const { id, claim } = await take();
      await value("select postpone_indexing($1, $2, 'Storage is away', false)", [id, claim]);
      pauses.push(
        await value("select round(extract(epoch from due_at - now()))::integer from knowledge_files where id = $1", [
          id,
        ]),
      );
      await value("update knowledge_files set due_at = now() where due_at is not null");
    }
    return pauses;
  }

  await t.step("the first time, the file has the request id of its upload", async () => {
    const file = await take();
    assertEquals([file.request_id, file.storage_path], ["req-1", "path"]);
    await save(file, 0, ["Owls hunt at night"], "ready");
    assertEquals([await found("owls"), await state()], [1, ["ready", "1", null, null]]);
  });

  await t.step("while it waits and is being read, it is found as before", async () => {
    for (const files of [1, 1]) assertEquals(await value("select reindex_file($1)", [fileId]), { files });
    assertEquals([await found("owls"), await state()], [1, ["ready", "1", "queued", null]]);
    const file = await take();
    assertEquals([file.storage_path, file.request_id, file.name], ["path", "req-1", "a.txt"]);
    await save(file, 0, ["Gulls sleep"], "queued", { page: 2 });
    assertEquals([await found("owls"), await found("gulls")], [1, 0]);
  });

  await t.step("one that is queued again begins anew, and what was read so far is gone", async () => {
    assertEquals(await value("select reindex_coach($1)", [coachId]), { files: 1 });
    assertEquals(await value("select array_agg(content) from passages"), ["Owls hunt at night"]);
  });

  await t.step("when Storage or a model fails every time, it is still found, and the reason is kept", async () => {
    assertEquals(await failThreeTimes(), [30, 60, null]);
    assertEquals([await found("owls"), await state()], [1, ["ready", "1", "failed", "Storage is away"]]);
    assertEquals(await take(), null);
  });

  await t.step("when its worker dies every time, likewise", async () => {
    await value("select reindex_coach($1)", [coachId]);
    for (let attempt = 1; attempt <= 3; attempt++) {
      await take();
      await value("update knowledge_files set due_at = now() where due_at is not null");
    }
    assertEquals(await take(), null);
    assertEquals([await found("owls"), (await state())[2]], [1, "failed"]);
  });

  await t.step("new passages take the place of the old ones; no version is counted, and no bytes go", async () => {
    await value("update knowledge_files set name = 'b.txt' where id = $1", [fileId]);
    await value("select reindex_file($1)", [fileId]);
    await save(await take(), 0, ["Gulls sleep on rocks"], "ready");
    assertEquals([await found("owls"), await found("gulls"), await state()], [0, 1, ["ready", "1", null, null]]);
    const { rows } = await postgres.query("select name, storage_path, digest is null as has_none from knowledge_files");
    assertEquals(rows, [{ name: "b.txt", storage_path: "path", has_none: false }]);
    assertEquals(await value("select count(*)::integer from private.object_removals"), 0);
    assertEquals(await value("select count(*)::integer from private.file_changes"), 0);
  });

  await t.step("renamed while it is read again, it is read with its new name, from the beginning", async () => {
    await value("select reindex_file($1)", [fileId]);
    await save(await take(), 0, ["Gulls sleep on rocks"], "queued", { page: 2 });
    const half = await take();
    assertEquals(await rename("harbours.txt"), "harbours.txt");
    assertEquals(await save(half, 1, ["Gulls fish"], "ready").then(({ is_claimed }) => is_claimed), false);
    const file = await take();
    assertEquals([file.name, file.position, file.bookmark], ["harbours.txt", 0, null]);
    await save(file, 0, ["Gulls sleep on rocks"], "queued", { page: 2 });
    const rest = await take();
    // The same name interrupts nothing.
    assertEquals(await rename("harbours.txt"), "harbours.txt");
    await save(rest, 1, ["Gulls fish"], "ready");
    assertEquals([await found("harbours"), await state()], [2, ["ready", "1", null, null]]);
  });

  await t.step("renamed when that has failed, it begins no work, and is read with its new name next time", async () => {
    await value("select reindex_file($1)", [fileId]);
    await failThreeTimes();
    assertEquals([await rename("b.txt"), (await state())[2], await take()], ["b.txt", "failed", null]);
    await value("select reindex_file($1)", [fileId]);
    const file = await take();
    assertEquals(file.name, "b.txt");
    await save(file, 0, ["Gulls sleep on rocks"], "ready");
    assertEquals([await found("harbours"), await found("gulls")], [0, 1]);
  });

  await t.step("when reading fails half-way, the new passages so far are deleted, and the old ones stay", async () => {
    await value("select reindex_file($1)", [fileId]);
    await save(await take(), 0, ["Larks sing"], "queued", { page: 2 });
    await failThreeTimes();
    assertEquals([await found("larks"), await found("gulls"), (await state())[2]], [0, 1, "failed"]);
  });

  await t.step("what has other bytes takes the place of both", async () => {
    await value(
      `insert into knowledge_files (account_id, coach_id, name, size, content_type, category, digest, storage_path, replaces)
       select account_id, coach_id, name, size, content_type, category, repeat('1', 64), 'path 2', id
       from knowledge_files where id = $1`,
      [fileId],
    );
    await value("select reindex_coach($1)", [coachId]);
    const [first, second] = [await take(), await take()].toSorted((a, b) => a.storage_path < b.storage_path ? -1 : 1);
    await save(second, 0, ["Kites hover"], "ready");
    assertEquals(await save(first, 0, ["Gulls sleep on rocks"], "ready"), { is_claimed: false, file: null });
    assertEquals([await found("gulls"), await found("kites")], [0, 1]);
    assertEquals(await state(), ["ready", "2", null, null]);
    assertEquals(await value("select array_agg(storage_path) from private.object_removals"), ["path"]);
  });
});
