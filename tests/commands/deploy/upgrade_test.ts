import { join } from "node:path";
import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { createProjectDatabase } from "../../support/project_database.ts";
import { createSupabaseCli } from "../../support/supabase_cli.ts";
import { projectRef } from "./management_api.ts";
import { createWorkplace } from "./run_deploy.ts";

const first = "create table public.first_of_a_release (id integer primary key);";
const second = "create table public.second_of_a_release (id integer primary key);";

Deno.test("npm run deploy, of a release with two new migrations", async (t) => {
  await using cli = await createSupabaseCli();
  await using database = await createProjectDatabase();
  await using workplace = await createWorkplace([], () => Promise.resolve([]));
  const { api, folder } = workplace;
  const url = new URL(database.url);
  url.searchParams.set("application_name", projectRef);
  const write = (name: string, sql: string) => Deno.writeTextFile(join(folder, "supabase/migrations", name), sql);
  const deploy = async () => {
    api.changes.length = 0;
    return await workplace.run([projectRef, "--yes"], {
      env: { DATABASE_URL: url.href, SMOKE_URL: "http://127.0.0.1:1" },
    });
  };
  const state = async () => {
    const [{ tables, last }] = await cli.ask(
      database.url,
      "db",
      "query",
      `select
        (select string_agg(relname, ' ' order by relname) from pg_class where relname ~ '^[a-z]+_of_a_release$') as tables,
        (select max(version) from supabase_migrations.schema_migrations) as last`,
    );
    return [tables, last];
  };

  const isPushed = await t.step(
    "the second of which fails in the middle: nothing of it stays, and no function is deployed",
    async () => {
      await write("20991231000001_first.sql", first);
      await write("20991231000002_second.sql", `${second} select no_such_function();`);
      const { code, said } = await deploy();
      assertEquals([code, api.changes], [1, []], said);
      assertMatch(said, /Push the migrations: failed\.[^]*no_such_function/);
      assertMatch(said, /Done: Link the project\. Not done: Push the migrations, Deploy the functions/);
      assertEquals(await state(), ["first_of_a_release", "20991231000001"]);
    },
  );
  if (!isPushed) return;

  await t.step("by the checkout of the release before: refused, before anything is changed", async () => {
    await Deno.rename(join(folder, "supabase/migrations"), join(folder, "later"));
    await Deno.mkdir(join(folder, "supabase/migrations"));
    for (const { name } of Deno.readDirSync(join(folder, "later"))) {
      if (!name.startsWith("2099")) await write(name, await Deno.readTextFile(join(folder, "later", name)));
    }
    const { code, said, commands } = await deploy();
    assertEquals([code, api.changes], [1, []], said);
    assertEquals(
      said,
      "Cannot read which migrations are pending: the database is newer than this checkout: it has " +
        "20991231000001_first, which supabase/migrations does not have. Nothing was changed. Deploy from the release " +
        "that has them, or a later one: see supabase/docs/upgrading.md.",
    );
    assert(commands.every((command) => !command.startsWith("db push") || command.includes("--dry-run")));
    assertEquals(await state(), ["first_of_a_release", "20991231000001"]);
    await Deno.remove(join(folder, "supabase/migrations"), { recursive: true });
    await Deno.rename(join(folder, "later"), join(folder, "supabase/migrations"));
  });

  await t.step(
    "again, when the second one is mended: only that is pushed, and the functions come after it",
    async () => {
      await write("20991231000002_second.sql", second);
      const { said, commands } = await deploy();
      assertMatch(said, /^Migrations +1 pending: 20991231000002_second\.sql$/m);
      assertEquals(await state(), ["first_of_a_release second_of_a_release", "20991231000002"]);
      const positionOf = (start: string) => commands.findLastIndex((command) => command.startsWith(start));
      assert(positionOf("functions deploy") > positionOf("db push"), commands.join("\n"));
    },
  );
});
