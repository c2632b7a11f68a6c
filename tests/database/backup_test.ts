import { join } from "node:path";
import { runBackup } from "../../supabase/commands/backup/run_backup.ts";
import { serve } from "../support/serve.ts";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { readMigrations } from "../support/migrated_postgres.ts";
import { createOwnedDatabase, type OwnedDatabase } from "../support/owned_database.ts";
import { startObjectStore } from "../upgrade/rig/object_store.ts";
import { readReleases, readRowsOfToday } from "../upgrade/rig/releases.ts";
import { describeSchema } from "../upgrade/snapshot/describe_schema.ts";
import { listTables, readRows } from "../upgrade/snapshot/dump_rows.ts";

/** COPY from a client is more than the embedded Postgres can: these tests need the one that `DATABASE_URL` names. */
const server = Deno.env.get("DATABASE_URL");

const secretKey = `sb_secret_${crypto.randomUUID()}`;

/** A Storage that takes the secret key only, and fails for the paths that it is told. */
async function startStorage() {
  await using resources = new AsyncDisposableStack();
  const store = resources.use(startObjectStore());
  const requests: string[] = [];
  let failing: RegExp | null = null;
  const front = resources.use(serve(async (request) => {
    const { pathname } = new URL(request.url);
    requests.push(`${request.method} ${pathname.replace("/storage/v1/object/", "")}`);
    const bytes = await request.bytes();
    if (request.headers.get("apikey") !== secretKey) return Response.json({ message: "no" }, { status: 403 });
    if (failing?.test(pathname)) return Response.json({ message: "no" }, { status: 500 });
    return await fetch(store.url + pathname, {
      method: request.method,
      headers: request.headers,
      body: bytes.length > 0 ? bytes : null,
    });
  }));
  const owned = resources.move();
  return {
    url: front.url,
    paths: store.paths,
    requests,
    put: (path: string, text: string) =>
      fetch(`${store.url}/storage/v1/object/${path}`, { method: "POST", body: text }),
    read: async (path: string) => await (await fetch(`${store.url}/storage/v1/object/${path}`)).text(),
    fail(paths: RegExp | null) {
      failing = paths;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A database with all migrations and their history, and the rows of a release where it is told so. */
async function createService(isFilled: boolean): Promise<OwnedDatabase> {
  await using resources = new AsyncDisposableStack();
  const database = resources.use(await createOwnedDatabase(server!));
  const [release] = readReleases();
  const migrations = await readMigrations();
  const apply = async (files: typeof migrations) => {
    for (const { sql } of files) await database.query(sql);
  };
  await apply(migrations.filter(({ file }) => file in release!.migrations));
  if (isFilled) await database.asSuperuser(await readRowsOfToday(release!));
  await apply(migrations.filter(({ file }) => !(file in release!.migrations)));
  await database.query(
    "create schema supabase_migrations; create table supabase_migrations.schema_migrations (version text)",
  );
  const versions = migrations.map(({ file }) => file.split("_")[0]);
  await database.query("insert into supabase_migrations.schema_migrations select unnest($1::text[])", [versions]);
  resources.move();
  return database;
}

/** A filled project with its files, an empty one, and a folder between them. */
async function createProjects() {
  await using resources = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "backup-" });
  resources.defer(() => Deno.remove(folder, { recursive: true }));
  const [filled, empty] = [resources.use(await createService(true)), resources.use(await createService(false))];
  const [from, to] = [resources.use(await startStorage()), resources.use(await startStorage())];
  await filled.asSuperuser(`
    create schema vault; create table vault.secrets (name text, secret text);
    insert into vault.secrets values ('project_url', 'https://vault.example'), ('secret_key', '${secretKey}');
    grant usage on schema vault to public; grant select on vault.secrets to public`);
  const names = ["knowledge/a/b.md", "knowledge/c d/ü.pdf", "pictures/one.png"];
  for (const path of names) await from.put(path, `bytes of ${path}`);
  await note(filled, names);
  const said: string[] = [];
  const steps: string[] = [];
  const run = async (
    command: "backup" | "restore",
    { database, storage, env = {} }: {
      database: OwnedDatabase;
      storage: { url: string };
      env?: Record<string, string>;
    },
  ) => {
    said.length = 0;
    const { password, href } = new URL(database.url);
    const code = await runBackup(command, [href.replace(`:${password}@`, "@"), "--folder", join(folder, "backup")], {
      env: { SUPABASE_DB_PASSWORD: password, BASE_URL: storage.url, SECRET_KEY: secretKey, ...env },
      workingFolder: folder,
      say: (text) => said.push(text),
      complain: (text) => said.push(text),
      progress: { begin: (step) => void steps.push(step), tell() {}, end() {} },
      readKey: () => Promise.resolve(null),
    });
    const text = said.join("\n");
    for (const secret of [password, secretKey]) assert(!text.includes(secret), "a secret is shown");
    return { code, text };
  };
  const owned = resources.move();
  return {
    folder: join(folder, "backup"),
    filled,
    empty,
    from,
    to,
    names,
    steps,
    backup: (env?: Record<string, string>) => run("backup", { database: filled, storage: from, env }),
    restore: (env?: Record<string, string>) => run("restore", { database: empty, storage: to, env }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Lists files in the database, as Storage does. */
async function note({ asSuperuser }: OwnedDatabase, paths: string[]): Promise<void> {
  for (const path of paths) {
    const [bucket, ...rest] = path.split("/");
    const size = new TextEncoder().encode(`bytes of ${path}`).length;
    await asSuperuser("insert into storage.objects (bucket_id, name, metadata) values ($1, $2, $3)", [
      bucket,
      rest.join("/"),
      { size, mimetype: "text/plain" },
    ]);
  }
}

/** Everything that a restoration must bring back: rows, where sequences are, references and triggers. */
async function describe({ asSuperuser: query }: OwnedDatabase) {
  const tables = await listTables(query);
  const named = async (sql: string) => (await query<{ line: string }>(`${sql} order by 1`)).map(({ line }) => line);
  return {
    rows: await readRows(query, [{ name: "auth.users", columns: ["id", "email", "created_at"] }, ...tables]),
    schema: await describeSchema(query),
    sequences: await named("select sequencename || ' ' || coalesce(last_value, 0) as line from pg_sequences"),
    references: await named(
      "select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line from pg_constraint",
    ),
    triggers: await named(
      "select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text as line from pg_trigger " +
        "where not tgisinternal",
    ),
  };
}

Deno.test({ name: "a backup is restored into a new project by its owner", ignore: !server }, async (t) => {
  await using projects = await createProjects();
  const { filled, empty, from, to, folder, names } = projects;

  await t.step("it has all rows and files, names what it lacks, and only its owner can read it", async () => {
    const { code, text } = await projects.backup();
    assertEquals(code, 0, text);
    assert(projects.steps.includes("Copying the rows of public.messages"));
    assertMatch(text, / rows in \d+ tables and 3 files \(0\.0 MB\)/);
    assertMatch(text, /Not in it: the secrets of the vault \(project_url, secret_key\)/);
    for (const path of [folder, ...["backup.json", "knowledge/a/b.md"].map((name) => join(folder, name))]) {
      assertEquals((await Deno.stat(path)).mode! & 0o077, 0, path);
    }
    const rows = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.startsWith("rows-"));
    assertEquals(rows.length, 1);
    assertEquals((await Deno.stat(join(folder, rows[0]!))).mode! & 0o077, 0);
  });

  await t.step("a newer one into the same folder fetches only what is new, and drops what is gone", async () => {
    from.requests.length = 0;
    await from.put("knowledge/new.md", "bytes of knowledge/new.md");
    await note(filled, ["knowledge/new.md"]);
    await filled.asSuperuser("delete from storage.objects where name = 'one.png'");
    assertEquals((await projects.backup()).code, 0);
    assertEquals(from.requests, ["GET knowledge/new.md"]);
    assertEquals([...Deno.readDirSync(join(folder, "pictures"))], []);
  });

  await t.step("an interrupted restoration has changed no row, and goes on where it was", async () => {
    to.fail(/new\.md/);
    const { code, text } = await projects.restore();
    assertEquals(code, 1, text);
    assertMatch(text, /The file new\.md of knowledge could not be copied \(status 500\)\. Run the same command again/);
    assertEquals(await empty.query("select from accounts"), []);
    to.fail(null);
    to.requests.length = 0;
    await note(empty, names.slice(0, 2));
  });

  await t.step("all rows, sequences, references and triggers are as they were", async () => {
    const { code, text } = await projects.restore();
    assertEquals(code, 0, text);
    assertMatch(text, /Still to do.*secrets of the vault \(project_url, secret_key\)/);
    assertEquals(to.requests, ["POST knowledge/new.md"]);
    assertEquals(await to.read("knowledge/new.md"), "bytes of knowledge/new.md");
    const [before, after] = [await describe(filled), await describe(empty)];
    assert([...before.rows.values()].flat().length > 100, "the snapshot has rows");
    assertEquals(after, before);
  });

  await t.step("a project that is not empty is left as it is", async () => {
    const before = await describe(empty);
    const { code, text } = await projects.restore();
    assertEquals(code, 1);
    assertMatch(text, /The project is not empty: public\.accounts has \d+ rows?\. Nothing was changed\./);
    assertEquals(await describe(empty), before);
  });
});

Deno.test({ name: "a backup that cannot be restored changes nothing", ignore: !server }, async (t) => {
  await using projects = await createProjects();
  const { filled, empty, from, to, folder } = projects;
  const fails = async (command: "backup" | "restore", sentence: RegExp, env: Record<string, string> = {}) => {
    const { code, text } = await projects[command](env);
    assertEquals(code, 1, text);
    assertMatch(text, sentence);
  };
  const rowsFile = () => [...Deno.readDirSync(folder)].find(({ name }) => name.startsWith("rows-"))!.name;

  await t.step("a wrong key is refused, and without one nothing begins", async () => {
    await fails("backup", /Storage refused the key: set SECRET_KEY/, { SECRET_KEY: "sb_secret_of_another" });
    await fails("backup", /For the files, set SECRET_KEY to a secret key of the project/, { SECRET_KEY: "" });
    await fails("backup", /For the files, set BASE_URL/, { BASE_URL: "" });
  });

  await t.step("a file that Storage lists and does not have is not left out silently", async () => {
    await note(filled, ["knowledge/lost.md"]);
    await fails("backup", /Storage does not give 1 of 4 files, such as knowledge\/lost\.md\. Check that SECRET_KEY/);
    await filled.asSuperuser("delete from storage.objects where name = 'lost.md'");
    await Deno.remove(folder, { recursive: true });
  });

  await t.step("half a backup is not a backup; the next one goes on", async () => {
    from.fail(/one\.png/);
    await fails("backup", /The file one\.png of pictures could not be copied/);
    await fails("restore", /has no complete backup: backup\.json is missing/);
    from.fail(null);
    from.requests.length = 0;
    assertEquals((await projects.backup()).code, 0);
    assertEquals(from.requests, ["GET pictures/one.png"]);
  });

  await t.step("a file that is cut is noticed before anything is written", async () => {
    const path = join(folder, "knowledge/a/b.md");
    const bytes = await Deno.readFile(path);
    await Deno.writeFile(path, bytes.subarray(1));
    await fails("restore", /is damaged: 1 of its files are missing or cut, such as a\/b\.md/);
    assertEquals(to.requests, []);
    await Deno.writeFile(path, bytes);
  });

  await t.step("rows that are cut are taken back, all of them", async () => {
    const before = await describe(empty);
    const path = join(folder, rowsFile());
    const bytes = await Deno.readFile(path);
    await Deno.writeFile(path, bytes.subarray(0, bytes.length - 2_000));
    await fails("restore", /rows-.*\.sql\.gz is damaged: .*\. Nothing was restored\./);
    assertEquals(await describe(empty), before);
    await Deno.writeFile(path, bytes);
  });

  await t.step("a row whose reference is missing is noticed at the end, and all are taken back", async () => {
    const before = await describe(empty);
    const withoutChecks =
      "set session_replication_role = replica; delete from public.threads; reset session_replication_role";
    await filled.asSuperuser(withoutChecks);
    assertEquals((await projects.backup()).code, 0);
    await fails("restore", /is damaged: .* violates foreign key constraint .*\. Nothing was restored\./);
    // A sequence keeps its place also when its transaction is taken back.
    assertEquals({ ...await describe(empty), sequences: [] }, { ...before, sequences: [] });
  });

  await t.step("a database of other migrations is refused", async () => {
    await empty.query("insert into supabase_migrations.schema_migrations values ('20991231000000')");
    await fails("restore", /other migrations than the backup: the backup was made before 20991231000000\.\nDeploy/);
    await empty.query("delete from supabase_migrations.schema_migrations where version >= '20261122001500'");
    await fails("restore", /other migrations than the backup: it lacks 20261122001500/);
    await filled.query("insert into supabase_migrations.schema_migrations values ('20991231000000')");
    await fails("backup", /has migrations that this folder does not have: 20991231000000/);
  });
});
