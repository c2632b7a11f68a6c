import { join } from "node:path";
import { projectRoot } from "../../supabase/platform/state.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { createProjectDatabase } from "../support/project_database.ts";
import { createSupabaseCli } from "../support/supabase_cli.ts";

type Advice = { cacheKey: string; name: string; level: string; detail: string };

/** Findings of the advisors that are accepted, with the reason. */
const accepted = [
  // The unique index on (file_id, position) finds the few rows of a file; a second index would cost every passage.
  "unindexed_foreign_keys_public_passages_passages_file_is_of_the_coach",
];

Deno.test("migrations, pushed by the Supabase CLI onto an empty project", async (t) => {
  await using cli = await createSupabaseCli();
  await using database = await createProjectDatabase();
  const files = [...Deno.readDirSync(join(projectRoot, "supabase/migrations"))].map(({ name }) => name).toSorted();
  const rows = <Row>(sql: string): Promise<Row[]> => cli.ask(database.url, "db", "query", sql);
  const schema = () =>
    rows(`
      select class.oid::regclass::text as name, class.relkind::text, class.xmin::text
      from pg_class as class where class.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      union all
      select function.oid::regprocedure::text, 'function', function.xmin::text
      from pg_proc as function where function.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      union all
      select version, name, xmin::text from supabase_migrations.schema_migrations
      order by 1, 2
    `);
  /** The advisors' findings, except unused indexes: in a new database no index has been used. */
  const advice = async (): Promise<Advice[]> => {
    const { results } = await cli.ask(database.url, "db", "advisors", "--type=all", "--level=info");
    return results.filter(({ name }: Advice) => name !== "unused_index");
  };

  // Each step depends on the one before.
  const isPushed = await t.step("all migrations are applied, in order", async () => {
    const { migrations } = await cli.ask(database.url, "db", "push");
    assertEquals(migrations, files);
    const history = await rows<{ file: string }>(
      "select version || '_' || name || '.sql' as file from supabase_migrations.schema_migrations order by version",
    );
    assertEquals(history.map(({ file }) => file), files);
  });
  if (!isPushed) return;

  await t.step("a second push changes nothing", async () => {
    const before = await schema();
    const { upToDate, migrations } = await cli.ask(database.url, "db", "push");
    assertEquals({ upToDate, migrations }, { upToDate: true, migrations: [] });
    assertEquals(await schema(), before);
  });

  await t.step("the advisors for security and performance have nothing to report", async () => {
    const found = await advice();
    const refused = found.filter(({ cacheKey }) => !accepted.includes(cacheKey));
    assertEquals(refused.map(({ level, detail }) => `${level}: ${detail}`), []);
    assertEquals(found.map(({ cacheKey }) => cacheKey), accepted, "an exception that is not needed any more");
  });

  await t.step("the types in the repository are up to date", async () => {
    const { code, stdout, stderr } = await cli.run(
      database.url,
      "gen",
      "types",
      "--lang=typescript",
      "--schema=public",
    );
    assertEquals(code, 0, stderr);
    assertEquals(stdout, await Deno.readTextFile(join(projectRoot, "shared/infra/db/database_types.ts")));
  });

  await t.step("the seed is applied, and a second time changes nothing", async () => {
    const coaches = () => rows<{ id: string }>("select id, name, xmin::text from public.coach_profiles");
    const said = () =>
      rows(`
        select
          (select count(*) from public.messages) as messages,
          (select array_agg(row(question, times, people, status)::text order by question) from public.open_questions) as questions,
          (select array_agg(row(question, version, hits)::text order by question) from public.pinned_answers
            join private.pinned_answer_hits on pinned_answer_id = id) as answers,
          (select sum(turns) from private.usage_counts) as turns
      `);
    const { seeds } = await cli.ask(database.url, "db", "push", "--include-seed");
    assertEquals(seeds.length, 1);
    const seeded = await coaches();
    assertEquals(seeded.map(({ id }) => id), ["demo-coach", "demo-baker"]);
    const seed = await Deno.readTextFile(join(projectRoot, "supabase/seed.sql"));
    await cli.execute(database.url, seed);
    assertEquals(await coaches(), seeded);
    await cli.execute(database.url, "delete from public.threads where title like 'How do I give feedback%'");
    const left = await said();
    await cli.execute(database.url, seed);
    assertEquals(await said(), left);
  });

  await t.step("the advisors report mistakes, so that their silence means something", async () => {
    await cli.execute(
      database.url,
      `
        create table public.open_diary (page text);
        grant select on public.open_diary to anon;
        create function public.leaf() returns integer language sql return 1;
      `,
    );
    const names = (await advice()).map(({ name }) => name);
    for (const name of ["rls_disabled_in_public", "no_primary_key", "function_search_path_mutable"]) {
      assert(names.includes(name), `${name} is not among ${names.join(", ")}`);
    }
  });
});
