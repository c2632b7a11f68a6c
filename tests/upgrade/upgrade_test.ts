import { projectRoot } from "../../supabase/platform/state.ts";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { readEvents } from "../support/client.ts";
import { findReleasedCode, readReleases, readSnapshotFile, type Release } from "./rig/releases.ts";
import { type Promises, startTraffic } from "./rig/traffic.ts";
import { createUpgradeDatabase, readNextSql, type UpgradeDatabase } from "./rig/upgrade_database.ts";
import { startUpgradeService, type UpgradeService } from "./rig/upgrade_service.ts";
import { describeSchema } from "./snapshot/describe_schema.ts";
import { listTables, readRows } from "./snapshot/dump_rows.ts";

const broken = "20991230000000_broken.sql";

/** Something made by the first statement, in a migration whose last one fails. */
const brokenSql = `
  create table public.half_of_a_release (id integer primary key);
  alter table public.threads add column half text;
  update public.messages set content = 'lost';
  select no_such_function();
`;

/** Applies what comes after the release in a transaction that is rolled back, and compares all rows. */
async function compareRows(database: UpgradeDatabase, release: Release): Promise<void> {
  const tables = await listTables(database.query);
  const before = await readRows(database.query, tables);
  await database.query(`begin; ${await readNextSql(release)}`);
  try {
    const after = await readRows(database.query, tables);
    for (const [table, rows] of before) assertEquals(after.get(table), rows, table);
  } finally {
    await database.query("rollback");
  }
  assert([...before.values()].flat().length > 100, "the snapshot has rows");
}

/** The IDs of everything that people have made. */
async function idsOf({ query }: UpgradeDatabase): Promise<string[]> {
  const tables = [
    "accounts",
    "coach_profiles",
    "threads",
    "messages",
    "knowledge_files",
    "pinned_answers",
    "open_questions",
  ];
  const each = tables.map((table) => `select '${table} ' || id::text as id from public.${table}`);
  return (await query(`${each.join(" union all ")} order by id`)).map(({ id }) => id as string);
}

/** Begins an answer whose model says a word in each second, until it is told to finish. */
async function startLongAnswer(service: UpgradeService, { names }: Release, apiKey: string) {
  // The service gives a model up that says nothing for 30 seconds, and an upgrade may take longer on a busy machine.
  const words = Array.from({ length: 300 }, (_, index) => `${index} `);
  const pauses = words.map(() => Promise.withResolvers<void>());
  let over = 0;
  const speaking = setInterval(() => pauses[over++]?.resolve(), 1_000);
  const { model } = service;
  model.scriptEach(
    names.modelName,
    (body) =>
      JSON.stringify(body.input).includes("Take your time")
        ? { steps: [...words.flatMap((text, index) => [{ text }, { waitFor: pauses[index]!.promise }]), { end: true }] }
        : { steps: [{ text: "A clock and a cake." }] },
  );
  const response = await fetch(`${service.baseUrl}/functions/v1/chat`, {
    method: "POST",
    headers: { "X-API-Key": apiKey, "Content-Type": "application/json" },
    body: JSON.stringify({ message: "Take your time", context: { coachId: names.coachId, userId: "slow" } }),
  });
  assertEquals(response.status, 200);
  const text = response.text().then(readEvents);
  // Awaited at the end; until then, other failures come first.
  text.catch(() => {});
  return {
    finish() {
      clearInterval(speaking);
      for (const pause of pauses) pause.resolve();
    },
    whole: words.join(""),
    text,
    messageId: response.headers.get("X-Message-Id")!,
  };
}

/** Checks that everything that was there, and everything that a client was told, is stored. */
async function checkStored(database: UpgradeDatabase, before: string[], { messages, files }: Promises): Promise<void> {
  const after = new Set(await idsOf(database));
  const said = [...messages.map((id) => `messages ${id}`), ...files.map((id) => `knowledge_files ${id}`)];
  assertEquals([...before, ...said].filter((id) => !after.has(id)), []);
  const unfinished = await database.query(
    `select id from public.messages where status <> 'complete' and id in (${messages.map((id) => `'${id}'`)})`,
  );
  assertEquals(unfinished, []);
}

for (const release of readReleases()) {
  Deno.test(`a database of release ${release.version}`, async (t) => {
    await using database = await createUpgradeDatabase(release);

    await t.step("has the schema that its migrations made when it was released", async () => {
      const schema = new Set(await describeSchema(database.query));
      const released = new Set((await readSnapshotFile(release, "schema.txt")).trimEnd().split("\n"));
      assertEquals([[...released.difference(schema)], [...schema.difference(released)]], [[], []]);
    });

    await t.step("keeps every row as it is in an upgrade", () => compareRows(database, release));

    await using code = await findReleasedCode(release);
    const ignore = code.root === null;
    const reason = ignore ? ` (left out: ${code.reason})` : "";
    await t.step({
      name: `is upgraded while its functions answer, which are then replaced${reason}`,
      ignore,
      fn: () => upgradeUnderTraffic(release, database, code.root!),
    });
  });
}

async function upgradeUnderTraffic(release: Release, database: UpgradeDatabase, oldCode: string) {
  const { apiKey, userId, ownerId } = release.names;
  await using service = await startUpgradeService(database);
  const person = { apiKey, accessToken: await service.signIn(userId) };
  const expert = { apiKey, accessToken: await service.signIn(ownerId) };
  const history = await database.history();
  const before = await idsOf(database);
  await service.deploy(oldCode);
  const long = await startLongAnswer(service, release, apiKey);
  const traffic = startTraffic(service, release, { person, expert });
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => {
    long.finish();
    await Promise.allSettled([long.text, traffic.stop()]);
  });
  await traffic.goesOn(2);

  // A migration that fails in the middle: nothing of it is there, and the functions go on.
  await database.write(broken, brokenSql);
  assertMatch(await database.push() ?? "", /no_such_function/);
  assertEquals(await database.history(), history);
  await traffic.goesOn(1);
  const [{ left }] = await database.query(`
    select concat(to_regclass('public.half_of_a_release'),
      (select max(attname) from pg_attribute where attrelid = 'public.threads'::regclass and attname = 'half'),
      (select min(content) from public.messages where content = 'lost')) as left`) as [{ left: string }];
  assertEquals(left, "");
  await database.remove(broken);

  // The real ones, first the migrations, then the functions.
  const added = await database.writeNext();
  assertEquals(await database.push(), null);
  assertEquals(await database.history(), [...history, ...added.map((file) => file.split("_")[0]!)]);
  await traffic.goesOn(2);
  await service.deploy(projectRoot);
  await traffic.goesOn(2);

  long.finish();
  assertEquals(await long.text, long.whole);
  const promises = await traffic.stop();
  promises.messages.push(long.messageId);
  await checkStored(database, before, promises);
  assertEquals(service.errors, []);
}
