import { assertEquals } from "../support/assert.ts";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

Deno.test("a page whose text is gone by the time it is saved is read again", async () => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const url = "https://example.com/";
  const sourceId = await value(
    `insert into knowledge_sources (account_id, coach_id, url, kind, refresh) values ($1, $2, $3, 'page', 'daily')
     returning id`,
    [accountId, coachId, url],
  );
  const claim = crypto.randomUUID();
  await postgres.query(
    "insert into source_pages (source_id, url, claim, due_at) values ($1, $2, $3, now() + interval '2 minutes')",
    [sourceId, url, claim],
  );
  const outcome = {
    kind: "read",
    links: [],
    file: {
      // The sweep has given the upload up.
      upload_id: crypto.randomUUID(),
      name: "Page.md",
      size: 1,
      content_type: "text/markdown",
      category: "documents",
      digest: "0".repeat(64),
    },
  };
  const save = () => value("select save_page($1, $2, $3, $4, 0)", [sourceId, url, claim, outcome]);
  assertEquals([await save(), await save()], [false, false]);
  assertEquals(
    await value("select claim is null and due_at <= now() and state = 'waiting' from source_pages where url = $1", [
      url,
    ]),
    true,
  );
  assertEquals(await value("select count(*)::int from knowledge_files where source_id = $1", [sourceId]), 0);
});
