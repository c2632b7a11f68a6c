import { assertEquals } from "../support/assert.ts";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

Deno.test("versions of a file", async (t) => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  let files = 0;
  const insert = async (name: string, replaces: string | null = null): Promise<string> =>
    await value(
      `insert into knowledge_files (account_id, coach_id, name, size, content_type, category, digest, storage_path, replaces)
       values ($1, $2, $3, 1, 'text/plain', 'documents', $4, $5, $6) returning id`,
      [accountId, coachId, name, String(++files).padStart(64, "0"), `path ${files}`, replaces],
    );
  const index = async (fileId: string, ...contents: string[]) => {
    await value("update knowledge_files set claim = gen_random_uuid(), status = 'indexing' where id = $1", [fileId]);
    await value(
      "select save_indexing(id, claim, 0, $2, 'ready', null, null, false) from knowledge_files where id = $1",
      [
        fileId,
        JSON.stringify(contents.map((content) => ({ content, embedding: { model: "m", vector: oneOf1536 } }))),
      ],
    );
  };
  const oneOf1536 = `[${[1, ...Array(1535).fill(0)].join()}]`;
  const byMeaning = () =>
    value("select count(*)::integer from private.rank_by_meaning($1, $2, null, 50)", [
      coachId,
      JSON.stringify({ model: "m", vector: oneOf1536 }),
    ]);
  const fileId = await insert("a.txt");
  await index(fileId, "Owls hunt at night", "Larks sing");

  await t.step("a version that is being read is not found by its meaning", async () => {
    const next = await insert("a.txt", fileId);
    await value("update knowledge_files set bookmark = '{}' where id = $1", [next]);
    await value("select store_passages($1, 0, $2)", [next, JSON.stringify([{ content: "Owls sleep by day" }])]);
    await value("select private.store_embeddings($1, 0, $2)", [
      next,
      JSON.stringify([{ content: "Owls sleep by day", embedding: { model: "m", vector: oneOf1536 } }]),
    ]);
    assertEquals(await byMeaning(), 2);
    await index(next, "Larks sing", "Owls sleep by day");
    assertEquals(await byMeaning(), 2);
  });
  await t.step(
    "it takes the number under which the index of words has its passages; the bytes before it go",
    async () => {
      const { rows: [file] } = await postgres.query<Record<string, unknown>>(
        `select file.version, file.storage_path, array(select distinct unnest(posting.files) from private.postings as posting
         join private.passage_terms as term on term.id = posting.term_id where term.lexeme = 'sleep') as numbers, file.number
       from knowledge_files as file where id = $1`,
        [fileId],
      );
      assertEquals(file, { version: 2, storage_path: "path 2", numbers: [file!.number], number: file!.number });
      assertEquals(await value("select array_agg(storage_path) from private.object_removals"), ["path 1"]);
    },
  );
  await t.step("changes are forgotten after 30 days, and so is a version that could not be read", async () => {
    const next = await insert("a.txt", fileId);
    await value("update knowledge_files set due_at = null, status = 'failed', error = 'Broken' where id = $1", [next]);
    const left = async () => {
      await value("select private.forget_versions()");
      return [
        await value("select count(*)::integer from private.file_changes"),
        await value("select count(*)::integer from knowledge_files"),
      ];
    };
    await value("update knowledge_files set updated_at = now() - interval '29 days' where id = $1", [next]);
    await value("update private.file_changes set changed_at = now() - interval '29 days'");
    assertEquals(await left(), [1, 2]);
    await value("update knowledge_files set updated_at = now() - interval '31 days'");
    await value("update private.file_changes set changed_at = now() - interval '31 days'");
    // That of a page, whose text would not be sent again.
    await value("update knowledge_files set fetched_at = now() where id = $1", [next]);
    assertEquals(await left(), [0, 2]);
    await value("update knowledge_files set fetched_at = null where id = $1", [next]);
    assertEquals(await left(), [0, 1]);
  });
});
