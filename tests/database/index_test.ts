import { assert, assertEquals } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { askForValue, createMigratedPostgres } from "../support/migrated_postgres.ts";
import { slow } from "../support/slow.ts";

/** Counts the entries of the search index that do not match the passages and those that were deleted but are still in it. */
const differences = `
  with indexed as (
    select passage.id, passage.coach_id, passage.length, passage.terms from public.passages as passage
    union all
    select removal.passage_id, removal.coach_id, removal.length, removal.terms from private.passage_removals as removal
  ), held as (
    select indexed.coach_id, entry.term_id from indexed cross join unnest(indexed.terms) as entry (term_id)
  ), word as (
    select passage.id, passage.coach_id, passage.length, file.number, entry.term_id, entry.frequency
    from public.passages as passage
    join public.knowledge_files as file on file.id = passage.file_id
    cross join unnest(passage.terms, passage.frequencies) as entry (term_id, frequency)
  ), posting as (
    select list.term_id, entry.* from private.postings as list
    cross join unnest(list.passages, list.files, list.frequencies, list.lengths)
      as entry (passage_id, file, frequency, length)
    where not exists (
      select from private.passage_removals as removal
      where removal.passage_id = entry.passage_id and list.term_id = any (removal.terms)
    )
  )
  select json_build_object(
    'totals', (select count(*) from private.passage_totals as total where (total.passages, total.length) <> (
      select count(*), coalesce(sum(indexed.length), 0) from indexed where indexed.coach_id = total.coach_id
    )),
    'terms', (select count(*)
      from (select held.term_id, count(*) as passages from held group by held.term_id) as counted
      full join private.passage_terms as term on term.id = counted.term_id
      where term.passages is distinct from counted.passages),
    'postings', (select count(*) from word full join posting
      on (word.term_id, word.id, word.number, word.frequency, word.length)
        = (posting.term_id, posting.passage_id, posting.file, posting.frequency, posting.length)
      where word.id is null or posting.passage_id is null),
    'rows', (select count(*) from private.postings as list
      where cardinality(list.passages) not between 1 and 100
        or list.passages <> array(select unnest(list.passages) order by 1)
        or list.first_passage > list.passages[1]),
    'overlaps', (select count(*) from private.postings as list
      join private.postings as later on later.term_id = list.term_id and later.first_passage > list.first_passage
      where list.passages[cardinality(list.passages)] >= later.first_passage)
  )`;
/** Takes all deleted passages out of the index. */
const unindex = `do $$ begin while public.unindex_passages() loop null; end loop; end $$`;
const none = { totals: 0, terms: 0, postings: 0, rows: 0, overlaps: 0 };

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await createMigratedPostgres());
  const value = askForValue(postgres);
  const accountId = await value("insert into accounts (name) values ('Test') returning id");
  const createCoach = () =>
    value(
      "insert into coach_profiles (account_id, name, title, instructions) values ($1, 'Ada', 'Coach', '-') returning id",
      [accountId],
    );
  /** Files called 1.txt, 2.txt …; returns their ids in that order. */
  const createFiles = (coachId: string, count: number): Promise<string[]> =>
    value(
      `with file as (
        insert into knowledge_files (account_id, coach_id, name, size, content_type, category, digest, storage_path)
        select $1::uuid, $2::text, n || '.txt', 1, 'text/plain', 'documents', repeat('0', 64), $2 || n
        from generate_series(1, $3::integer) as n order by n returning id, number
      ) select json_agg(id order by number) from file`,
      [accountId, coachId, count],
    );
  const store = (fileId: string | undefined, contents: string[], from = 0) =>
    value("select store_passages($1, $2, $3)", [
      fileId,
      from,
      JSON.stringify(contents.map((content) => ({ content }))),
    ]);
  const search = (coachId: string, text: string) =>
    value("select search_knowledge($1, $2, $3)", [{ account_id: accountId }, coachId, text]);
  const texts = (count: number, shift: number) =>
    Array.from(
      { length: count },
      (_, index) => `common word${(index + shift) % 7} word${index * 3 % 11} seldom${shift}x${index}`,
    );
  return handOver(stack, { postgres, value, createCoach, createFiles, store, search, texts });
}

Deno.test("the tables of the search index", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, createCoach, createFiles, store, search, texts } = prepared;

  await t.step("query plans made for a few files scan no big table when there are many files", async () => {
    const coachId = await createCoach();
    const tables = ["public.passages", "private.postings", "private.passage_terms"];
    const scans = (): Promise<number[]> =>
      value("select json_agg(pg_stat_get_xact_numscans(name::regclass)) from unnest($1::text[]) as name", [tables]);
    const passages = Array.from({ length: 100 }, (_, index) => `common word${index % 50} rare${index}`);
    const files = await createFiles(coachId, slow.ignore ? 40 : 150);
    const useEverything = async () => {
      for (const text of ["rare3", "common word1 rare5", "common", "33.txt"]) {
        assert((await search(coachId, text)).total > 0);
        await postgres.query("select search_passages($1, $2)", [coachId, text]);
      }
      await store(files[0], passages.slice(50), 50);
    };
    await store(files[0], passages);
    // From the sixth call on, Postgres may use one plan for all texts.
    for (let time = 0; time < 7; time++) await useEverything();
    for (const file of files) await store(file, passages);

    // Within one transaction the counters are not reset.
    await postgres.exec("begin");
    const before = await scans();
    await useEverything();
    await postgres.query("delete from knowledge_files where id = $1", [files[0]]);
    await search(coachId, "common word1 rare5");
    await postgres.exec(unindex);
    assertEquals(await scans(), before);
    await postgres.query("select count(*) from passages");
    assertEquals(await scans(), before.with(0, before[0]! + 1));
    await postgres.exec("rollback");
    await postgres.query("delete from knowledge_files");
    await postgres.exec(unindex);
  });

  await t.step("it matches the passages after storing and deleting in any order", async () => {
    const [one, two, three, four] = await createFiles(await createCoach(), 4);
    const [other] = await createFiles(await createCoach(), 1);
    await store(one, texts(130, 1));
    await store(other, texts(20, 9));
    for (const from of [0, 60, 120]) {
      await store(two, texts(60, 2), from);
      await store(three, texts(60, 3), from);
    }
    await store(four, texts(260, 4));
    assertEquals(await value(differences), none);

    for (
      const [what, remove] of [
        ["the end of a file", () => store(one, texts(3, 5), 70)],
        [
          "a file between whose batches another was stored",
          () => postgres.query(`delete from knowledge_files where id = '${two}'`),
        ],
        ["every third passage", () => postgres.query("delete from passages where position % 3 = 1")],
        [
          "passages of two coaches at once",
          () => postgres.query("delete from passages where position > 200 or position < 2"),
        ],
        ["two files at once", () => postgres.query(`delete from knowledge_files where id in ('${three}', '${four}')`)],
      ] as const
    ) {
      await remove();
      await postgres.exec(unindex);
      assertEquals([what, await value(differences)], [what, none]);
    }
    await postgres.query("delete from knowledge_files");
    await postgres.exec(unindex);
    assertEquals(await value(differences), none);
    assertEquals(await value("select count(*)::integer from private.passage_terms"), 0);
  });

  await t.step("deleted passages are found no more, but counted until they are taken out of the index", async () => {
    const coachId = await createCoach();
    const [gone, shared, changed] = await createFiles(coachId, 3);
    await store(gone, texts(400, 1));
    await store(shared, ["common word1 seldom1x1", "common word2"]);
    await store(changed, ["common old", "common older"]);
    const contents = async (text: string) =>
      (await postgres.query<{ content: string }>("select content from search_passages($1, $2, 500)", [coachId, text]))
        .rows.map(({ content }) => content).toSorted();
    const counted = () => value("select passages from private.passage_totals where coach_id = $1", [coachId]);
    const waiting = () => value("select count(*)::integer from private.passage_removals");

    await postgres.query("delete from knowledge_files where id = $1", [gone]);
    await store(changed, ["common new"]);
    assertEquals([await waiting(), await counted()], [402, 405]);
    const check = async () => {
      assertEquals(await contents("seldom1x1 common"), ["common new", "common word1 seldom1x1", "common word2"]);
      assertEquals(await contents("seldom1x2 old older"), []);
      assertEquals((await search(coachId, "common")).total, 2);
      assertEquals((await search(coachId, "seldom1x2")).total, 0);
      assertEquals(await value(differences), none);
    };
    await check();
    assertEquals(await value("select unindex_passages()"), true);
    assertEquals([await waiting(), await counted()], [152, 155]);
    await check();
    // What is stored between two batches extends the rows that the next batch changes.
    await store(shared, ["common word1 seldom1x1", "common word2", ...texts(150, 1)]);
    assertEquals(await value(differences), none);
    await store(shared, ["common word1 seldom1x1", "common word2"]);
    await postgres.exec(unindex);
    assertEquals([await waiting(), await counted()], [0, 3]);
    await check();
    assertEquals(await value("select count(*)::integer from private.passage_terms where lexeme = 'seldom1x2'"), 0);
    assertEquals(await value("select unindex_passages()"), false);
  });
});

Deno.test("the tables of the search index, when rows have been deleted", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, createCoach, createFiles, store, search, texts } = prepared;

  await t.step("a coach can be deleted while its passages are still in the index", async () => {
    const coachId = await createCoach();
    const [file] = await createFiles(coachId, 1);
    await store(file, texts(20, 6));
    await postgres.query("delete from knowledge_files where id = $1", [file]);
    await postgres.query("delete from coach_profiles where id = $1", [coachId]);
    assertEquals(await value("select unindex_passages()"), false);
    assertEquals(await value(differences), none);
  });

  await t.step("a word below the limit is read completely, even when deletions left its rows half empty", async () => {
    const coachId = await createCoach();
    const files = await createFiles(coachId, 250);
    const passages = JSON.stringify(Array(50).fill({ content: "common" }));
    await postgres.query(
      "select store_passages(id, 0, $1) from knowledge_files where coach_id = $2 order by number",
      [passages, coachId],
    );
    // Two files share a row of the word: 11,500 passages are left in 125 rows; of a frequent word only 120 are read.
    const gone = files.filter((_, index) => index % 2 === 0).slice(0, 20);
    await postgres.query("delete from knowledge_files where id = any ($1)", [gone]);
    await postgres.exec(unindex);
    const rows = `select count(*)::integer from private.postings
      join private.passage_terms as term on term.id = term_id where term.coach_id = $1 and term.lexeme = 'common'`;
    assertEquals(await value(rows, [coachId]), 125);
    assertEquals((await search(coachId, "common")).total, 230);
  });

  await t.step("with more matches than are counted, the file named in the search still comes first", async () => {
    const coachId = await createCoach();
    await createFiles(coachId, 3_000);
    for (const name of ["1017.txt", "1999.txt", "2024.txt", "2718.txt", "2999.txt"]) {
      const { data: [first], total } = await search(coachId, `txt ${name.slice(0, 4)}`);
      assertEquals([first.filename, total], [name, 1_000]);
    }
  });
});
