import { readQuestion } from "../../shared/core/questions/read_questions.ts";
/** What a client sends is read in time in proportion to its length, wherever Postgres makes words of it. */
import type { PGlite } from "@electric-sql/pglite";
import { assert, assertEquals } from "../support/assert.ts";
import {
  askForValue,
  beginTurn,
  createMigratedPostgres,
  indexThreads,
  insertCoach,
  readInSql,
} from "../support/migrated_postgres.ts";

const small = 3_200;
/** The longest message. */
const large = 10 * small;
/** Milliseconds. Less cannot be told from the noise of a busy machine. */
const noise = 30;
/** Ten times the length may take so many times as long. With the square of the length it would be a hundred times. */
const tolerated = 40;

/** Texts that Postgres' parser looks at again for each of their parts, or did. */
const units = [
  "a-b-1.",
  "a-",
  "a.",
  "1.",
  "a@b.",
  "http://a/",
  "<a ",
  "&a;",
  "/a",
  "_a",
  "1e",
  "+1-",
  "é-",
  "a\u00a0-",
  "字",
  // Each accent belongs before the one in front of it.
  "\u0315\u0316",
];

/** The functions that make words of a text, and why each may. All others call `private.to_lexemes`. */
const parsing = {
  to_lexemes: "after break_runs",
  excerpt: "after break_runs",
};

const repeatTo = (length: number, unit: string) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** The calls that read a text, by what a client does. */
function callsOf(postgres: PGlite, { accountId, coachId }: { accountId: string; coachId: string }) {
  const run = (sql: string, ...parameters: unknown[]) => postgres.query(sql, parameters);
  const caller = { account_id: accountId };
  return {
    "words": (text: string) => run("select private.to_lexemes('english', $1)", text),
    "an excerpt": (text: string) => run("select private.excerpt('english', $1, 'a'::tsquery)", text),
    "a question": (text: string) => readQuestion(text, "english"),
    "a search of threads": (text: string) => run("select search_threads($1, 'u', $2)", caller, { search: text }),
    "a search of conversations": (text: string) =>
      run("select list_conversations($1, $2)", caller, { coach_id: coachId, page_size: 10, search: text }),
    "a search of passages": (text: string) => run("select * from search_passages($1, $2)", coachId, text),
    "a search of files": (text: string) => run("select search_knowledge($1, $2, $3)", caller, coachId, text),
    "a search of pinned answers": (text: string) =>
      run("select list_pinned_answers($1, 'u', $2, $3)", caller, coachId, text),
    // The last: searches read what is not indexed yet.
    "a message": async (text: string) =>
      await beginTurn(postgres, {
        ...{ account_id: accountId, coach_id: coachId, content: text },
        asked: await readQuestion(text, "english"),
      }),
  };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

Deno.test("texts of a client are read in time in proportion to their length", async (t) => {
  await using postgres = await createMigratedPostgres();
  const coach = await insertCoach(postgres);
  await postgres.query(
    `select private.pin_answer($1, $2, array[${
      readInSql("'What is an a-b-1?'")
    }], 'A code.', null, replaces_same => false, is_active => true)`,
    [coach.accountId, coach.coachId],
  );
  const calls = callsOf(postgres, coach);
  for (const [name, call] of Object.entries(calls)) {
    await t.step(name, async () => {
      // Plans are made with the first call.
      await call("a");
      for (const unit of units) {
        const times: string[] = [];
        // A machine that does other work may stop one of them for a second.
        for (let isTimely = false; !isTimely;) {
          const few = await timeOf(() => call(repeatTo(small, unit)));
          const many = await timeOf(() => call(repeatTo(large, unit)));
          times.push(`${few} → ${many} ms`);
          isTimely = many <= tolerated * Math.max(few, noise);
          assert(isTimely || times.length < 3, `${JSON.stringify(unit)}: ${times.join(", ")}`);
        }
      }
    });
  }
});

Deno.test("no other function gives a text to the parser of Postgres", async () => {
  await using postgres = await createMigratedPostgres();
  const { rows } = await postgres.query<{ name: string }>(
    `select distinct proname as name from pg_proc
     where pronamespace in ('private'::regnamespace, 'public'::regnamespace)
       and prosrc ~ '\\m(to_tsvector|ts_headline|ts_parse|ts_debug|\\w*to_tsquery)\\s*\\(' order by proname`,
  );
  assertEquals(rows.map(({ name }) => name), Object.keys(parsing).toSorted());
});

Deno.test("runs without white space are broken, and nothing else", async (t) => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const broken = (text: string) => value("select to_json(private.break_runs($1))", [text]);
  for (
    const text of ["", "Owls sleep.", "a".repeat(200), `${"a".repeat(200)} ${"b".repeat(200)}\n${"c".repeat(200)}`]
  ) {
    await t.step(`stays: ${text.length} characters`, async () => assertEquals(await broken(text), text));
  }
  await t.step("201 characters", async () => assertEquals(await broken("a".repeat(201)), `${"a".repeat(200)} a`));
  await t.step("401 characters, in a sentence", async () => {
    const run = "é".repeat(401);
    assertEquals(await broken(`An ${run}.`), `An ${"é".repeat(200)} ${"é".repeat(200)} é.`);
  });
  await t.step("other white space of a text with such a run becomes spaces", async () => {
    assertEquals(await broken(`An\n\towl\n${"a".repeat(201)}`), `An  owl ${"a".repeat(200)} a`);
  });
  await t.step("a no-break space does not end a run", async () => {
    const run = "a\u00a0".repeat(101);
    assertEquals(await broken(run), `${run.slice(0, 200)} ${run.slice(200)}`);
  });
});

Deno.test("a thread that cannot be indexed is skipped, and the others are indexed", async () => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  for (const content of ["bad", "Owls sleep."]) {
    await beginTurn(postgres, { account_id: accountId, coach_id: coachId, content, title: content });
  }
  await postgres.exec(`
    set session_replication_role = replica;
    update messages set status = 'complete', created_at = created_at - interval '1 hour';
    update threads set updated_at = now() - interval '1 hour' - case title when 'bad' then interval '1 hour' else '0' end;
    set session_replication_role = origin;
    -- Stands in for a text that Postgres cannot index.
    alter table private.thread_words add constraint no_bad_words check (not words @@ 'bad'::tsquery);
  `);
  await indexThreads(postgres);
  const titles = await postgres.query<{ title: string }>(
    "select distinct title from threads join private.thread_words on thread_words.thread_id = threads.id",
  );
  assertEquals(titles.rows.map(({ title }) => title), ["Owls sleep."]);
  assertEquals(await value("select to_json(private.has_unsearchable_threads())"), false);
});
