import { assert, assertEquals, assertMatch, assertStringIncludes } from "../../support/assert.ts";
import { createProjectDatabase } from "../../support/project_database.ts";
import { createSupabaseCli } from "../../support/supabase_cli.ts";
import { projectRef } from "./management_api.ts";
import { createWorkplace } from "./run_deploy.ts";

/** What another application has in the project. */
const others = `
  insert into storage.buckets (id, name, public) values ('knowledge', 'knowledge', true), ('pictures', 'pictures', false);
  create extension pg_trgm with schema public;
  create table public.messages (id integer);
  create table public.orders (id integer);
  create function public.list_threads() returns integer language sql return 1;
  create schema private;
`;

/**
 * What the sentences say to do. The extension goes: only on the platform may the owner of the project move what a
 * superuser owns.
 */
const remedies = `
  delete from storage.buckets;
  drop extension pg_trgm;
  alter table public.messages rename to their_messages;
  alter function public.list_threads() rename to their_threads;
  alter schema private rename to theirs;
`;

Deno.test("npm run deploy, to a project of another application", async (t) => {
  await using cli = await createSupabaseCli();
  await using database = await createProjectDatabase();
  await using workplace = await createWorkplace([], () => Promise.resolve([]));
  const { api } = workplace;
  const url = new URL(database.url);
  url.searchParams.set("application_name", projectRef);
  const deploy = async () => {
    api.changes.length = 0;
    return await workplace.run([projectRef, "--yes"], {
      env: { DATABASE_URL: url.href, SMOKE_URL: "http://127.0.0.1:1" },
    });
  };
  await cli.execute(database.url, others);
  const readDefaults = () =>
    cli.ask(
      database.url,
      "db",
      "query",
      `select defaclnamespace::regnamespace as space, defaclobjtype as kind, privilege_type, grantee::regrole
       from pg_default_acl, aclexplode(defaclacl) where defaclrole = current_user::regrole order by 1, 2, 3, 4`,
    );

  await t.step("each conflict is named with what to do, before anything is changed", async () => {
    const { code, said } = await deploy();
    assertEquals([code, api.changes], [1, []], said);
    assertMatch(said, /This project is not empty\. Nothing was changed\.\n- /);
    for (
      const sentence of [
        "There already is a bucket knowledge, which is public. This service would keep its files there, and everybody",
        "There already is a bucket pictures, which is private.",
        "alter extension pg_trgm set schema extensions;",
        "The database already has public.list_threads, public.messages, which this service creates. Rename them",
        "There already is a schema private.",
      ]
    ) assertStringIncludes(said, sentence);
    const [{ tables }] = await cli.ask(
      database.url,
      "db",
      "query",
      "select count(*) as tables from pg_tables where schemaname in ('public', 'private')",
    );
    assertEquals(Number(tables), 2);
  });

  await t.step(
    "after that, the migrations are pushed, and leave its tables and default privileges as they are",
    async () => {
      await cli.execute(database.url, remedies);
      const defaults = await readDefaults();
      assert(defaults.length > 0);
      const { said } = await deploy();
      assert(said.includes("… Deploy the functions"), said);
      const [orders] = await cli.ask(
        database.url,
        "db",
        "query",
        "select relrowsecurity as is_closed from pg_class where oid = 'public.orders'::regclass",
      );
      assertEquals(orders, { is_closed: false });
      assertEquals(await readDefaults(), defaults);
    },
  );

  await t.step("a bucket of the service that somebody has opened is refused, too", async () => {
    await cli.execute(database.url, "update storage.buckets set public = true");
    const { code, said } = await deploy();
    assertEquals([code, api.changes], [1, []], said);
    assertStringIncludes(
      said,
      "The bucket knowledge is public, so everybody can read the files of experts. Change that: ",
    );
    assertStringIncludes(said, "update storage.buckets set public = false where id = 'knowledge';");
  });
});
