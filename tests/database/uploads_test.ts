import { assertEquals } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await createMigratedPostgres());
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const caller = { account_id: accountId };
  const beginUpload = async (): Promise<string> =>
    (await value("select begin_upload($1, $2, null)", [caller, coachId])).upload_id;
  const endUpload = (uploadId: string, names: string[], objects = names.length, key: string | null = null) =>
    value("select end_upload($1, $2, $3, null, $4, $5, 'r', $6, $6)", [
      caller,
      uploadId,
      coachId,
      objects,
      JSON.stringify(names.map((name, index) => ({
        object: index + 1,
        name,
        size: 5,
        content_type: "text/plain",
        category: "documents",
        digest: "0".repeat(64),
      }))),
      key,
    ]);
  const takeWork = async () => {
    const work = await value("select take_indexing_work()");
    assertEquals(work.removals.pictures, []);
    return { ...work, removals: work.removals.knowledge };
  };
  const endRemovals = (paths: string[]) => value("select end_object_removals($1)", [paths]);
  const makeDue = (table: string) => postgres.query(`update ${table} set due_at = now() - interval '1 second'`);
  const pathsOf = (uploadId: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${accountId}/${uploadId}/${index + 1}`).toSorted();
  const count = (table: string) => value(`select count(*)::int from ${table}`);
  return handOver(stack, {
    postgres,
    value,
    accountId,
    beginUpload,
    endUpload,
    takeWork,
    endRemovals,
    makeDue,
    pathsOf,
    count,
  });
}

Deno.test("the SQL functions of uploads, called directly", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, accountId, beginUpload, endUpload, takeWork, endRemovals, makeDue, pathsOf, count } =
    prepared;

  await t.step("an upload under way is left alone", async () => {
    const uploadId = await beginUpload();
    assertEquals(await takeWork(), {
      removals: [],
      responses: [],
      has_more_responses: false,
      has_removed_passages: false,
      has_tests: false,
      has_unsearchable_threads: false,
      has_budgets: false,
      has_waiting_turns: false,
      phrases: [],
      has_due_questions: false,
      has_comparisons: false,
      has_webhook_messages: false,
      has_due_retention: false,
      has_due_topics: false,
      file: null,
      model_check: null,
    });
    assertEquals((await endUpload(uploadId, ["a.txt"])).length, 1);
    assertEquals(await count("private.uploads"), 0);
    await value("delete from knowledge_files");
    await endRemovals((await takeWork()).removals);
  });

  await t.step("an abandoned upload has its objects removed, and can no longer end", async () => {
    const uploadId = await beginUpload();
    await makeDue("private.uploads");
    const { removals } = await takeWork();
    assertEquals(removals.toSorted(), pathsOf(uploadId, 20));
    assertEquals(await endUpload(uploadId, ["a.txt"]), null);
    assertEquals([await count("private.uploads"), await count("knowledge_files")], [0, 0]);
    await endRemovals(removals);
  });

  await t.step("a file deleted while it is being read does not hold up other files", async () => {
    await endUpload(await beginUpload(), ["a.txt", "b.txt", "c.txt"]);
    const postpone = ({ id, claim }: { id: string; claim: string }) =>
      value("select postpone_indexing($1, $2, 'Storage failed', false)", [id, claim]);
    const { file: first } = await takeWork();
    assertEquals(await postpone(first), { is_claimed: true, file: null });
    const { file: second } = await takeWork();
    await postgres.query("delete from knowledge_files where id = $1", [second.id]);
    const { is_claimed, file: third } = await postpone(second);
    assertEquals([is_claimed, third.name], [false, "c.txt"]);
    await value("delete from knowledge_files");
    await endRemovals((await takeWork()).removals);
  });

  await t.step("an upload ends only once", async () => {
    const uploadId = await beginUpload();
    assertEquals(await endUpload(uploadId, [], 2), []);
    assertEquals(await endUpload(uploadId, ["a.txt"]), null);
    assertEquals(await count("knowledge_files"), 0);
    const { removals } = await takeWork();
    assertEquals(removals.toSorted(), pathsOf(uploadId, 2));
    await endRemovals(removals);
  });

  await t.step("objects of second copies are removed; the file keeps its own object", async () => {
    const first = await beginUpload();
    await endUpload(first, ["a.txt"]);
    const second = await beginUpload();
    await endUpload(second, ["a.txt", "b.txt", "b.txt"]);
    const { removals } = await takeWork();
    assertEquals(removals.toSorted(), [`${accountId}/${second}/1`, `${accountId}/${second}/3`]);
    assertEquals(await count("knowledge_files"), 2);
    await endRemovals(removals);
    await value("delete from knowledge_files");
    await endRemovals((await takeWork()).removals);
  });

  await t.step("objects to remove are handed out again until their removal is confirmed", async () => {
    await value("delete from private.object_removals");
    const uploadId = await beginUpload();
    await endUpload(uploadId, [], 1);
    assertEquals((await takeWork()).removals, pathsOf(uploadId, 1));
    assertEquals((await takeWork()).removals, []);
    await makeDue("private.object_removals");
    assertEquals((await takeWork()).removals, pathsOf(uploadId, 1));
  });

  await t.step(
    "an object removed within minutes is removed once more, since Storage may have written it late",
    async () => {
      await value("delete from private.object_removals");
      const uploadId = await beginUpload();
      await endUpload(uploadId, [], 1);
      await endRemovals((await takeWork()).removals);
      assertEquals((await takeWork()).removals, []);

      await value("update private.object_removals set created_at = now() - interval '5 minutes'");
      await makeDue("private.object_removals");
      assertEquals((await takeWork()).removals, pathsOf(uploadId, 1));
      await endRemovals(pathsOf(uploadId, 1));
      assertEquals(await count("private.object_removals"), 0);
    },
  );

  await t.step("an end that arrives twice gets the same reply, and stores the files once", async () => {
    const uploadId = await beginUpload();
    const first = await endUpload(uploadId, ["twice.txt"]);
    assertEquals(await endUpload(uploadId, ["twice.txt"]), first);
    assertEquals(await endUpload(uploadId, ["twice.txt", "never.txt"]), null);
    assertEquals(
      await value("select count(*)::int from knowledge_files where name like '%twice%' or name like '%never%'"),
      1,
    );
    await value("delete from knowledge_files where name like '%twice%'");
    await value("delete from private.object_removals");
  });

  await t.step("a failed file that is uploaded again is tried again; a ready one is left alone", async () => {
    const status = () => value("select status from knowledge_files where name = 'again.txt'");
    await endUpload(await beginUpload(), ["again.txt"]);
    for (const [before, after] of [["failed", "queued"], ["ready", "ready"]]) {
      await value("update knowledge_files set status = $1, due_at = null where name = 'again.txt'", [before]);
      await endUpload(await beginUpload(), ["again.txt"]);
      assertEquals(await status(), after);
    }
    await value("delete from knowledge_files where name = 'again.txt'");
    await value("delete from private.object_removals");
  });
});

Deno.test("the SQL functions of indexing, called directly", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, beginUpload, endUpload, takeWork, endRemovals, makeDue, pathsOf, count } = prepared;

  await t.step("deleting rows of knowledge_files removes their objects", async () => {
    const uploadId = await beginUpload();
    await endUpload(uploadId, ["a.txt", "b.txt"]);
    await value("delete from knowledge_files");
    assertEquals((await takeWork()).removals.toSorted(), pathsOf(uploadId, 2));
    await endRemovals(pathsOf(uploadId, 2));
  });

  const save = (
    { id, claim }: { id: string; claim: string },
    from: number,
    content: string[],
    status: string,
    bookmark: unknown = null,
    takesNext = false,
  ) =>
    value("select save_indexing($1, $2, $3, $4, $5, $6, null, $7)", [
      id,
      claim,
      from,
      JSON.stringify(content.map((each) => ({ content: each }))),
      status,
      bookmark === null ? null : JSON.stringify(bookmark),
      takesNext,
    ]);

  await t.step(
    "a file of many batches continues at its bookmark, and each batch restarts the count of attempts",
    async () => {
      await endUpload(await beginUpload(), ["long.txt"]);
      let { file } = await takeWork();
      assertEquals([file.attempt, file.bookmark, file.position], [1, null, 0]);
      // The worker is killed twice, then saves the first batch, then is killed again.
      for (const attempt of [2, 3]) {
        await makeDue("knowledge_files");
        ({ file } = await takeWork());
        assertEquals([file.attempt, file.bookmark, file.position], [attempt, null, 0]);
      }
      // With each batch, the claim lasts longer.
      await makeDue("knowledge_files");
      assertEquals(await save(file, 0, ["one", "two"], "indexing", { page: 2 }), { is_claimed: true, file: null });
      assertEquals((await takeWork()).file, null);
      await makeDue("knowledge_files");
      ({ file } = await takeWork());
      assertEquals([file.attempt, file.bookmark, file.position], [2, { page: 2 }, 2]);
      // Queued again with a bookmark, the file is due at once.
      await save(file, 2, ["three"], "queued", { page: 3 });
      assertEquals((await save(file, 3, [], "indexing")).is_claimed, false);
      ({ file } = await takeWork());
      assertEquals([file.attempt, file.bookmark, file.position], [1, { page: 3 }, 3]);
      await save(file, 3, ["four"], "ready");
      const { rows } = await postgres.query("select position, content from passages order by position");
      assertEquals(rows, ["one", "two", "three", "four"].map((content, position) => ({ position, content })));
      assertEquals(await value("select status from knowledge_files"), "ready");
      assertEquals((await takeWork()).file, null);
    },
  );

  await t.step("a file that fails half-way has no passages", async () => {
    await value("update knowledge_files set due_at = now(), bookmark = null, status = 'queued'");
    const { file } = await takeWork();
    await save(file, 0, ["one"], "indexing", { page: 2 });
    await save(file, 1, [], "failed");
    assertEquals(await count("passages"), 0);
    assertEquals(await value("select status from knowledge_files"), "failed");
    await value("delete from knowledge_files");
  });

  await t.step("a file without passages is never ready", async () => {
    await endUpload(await beginUpload(), ["blank.txt"]);
    const { file } = await takeWork();
    await save(file, 0, [], "ready");
    assertEquals(await value("select status from knowledge_files"), "empty");
    await value("delete from knowledge_files");
  });

  await t.step("saving with a lost claim stores nothing, and still takes the next file", async () => {
    await endUpload(await beginUpload(), ["a.txt", "b.txt"]);
    const { file } = await takeWork();
    const stranger = { id: file.id, claim: crypto.randomUUID() };
    const saved = await save(stranger, 0, ["stolen"], "ready", null, true);
    assertEquals([saved.is_claimed, saved.file.name], [false, "b.txt"]);
    assertEquals(await count("passages"), 0);
    await value("select postpone_indexing($1, $2, 'no reason', false)", [stranger.id, stranger.claim]);
    assertEquals(await value("select error from knowledge_files where id = $1", [file.id]), null);
  });
});

Deno.test("the name of a deleted file leaves the reply that is kept, and the upload is not carried out again", async () => {
  await using prepared = await prepare();
  const { postgres, value, beginUpload, endUpload } = prepared;
  const send = async () => await endUpload(await beginUpload(), ["Secret.txt", "Kept.txt"], 2, "key");
  const sent = await send();
  await postgres.query("delete from knowledge_files where id = $1", [sent[0].fileId]);
  assertEquals(await send(), [{ ...sent[0], filename: "" }, sent[1]]);
  assertEquals(await value("select count(*)::int from private.idempotency_keys where reply::text like '%Secret%'"), 0);
});
