import { assertEquals } from "../support/assert.ts";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

Deno.test("the passages of a turn", async (t) => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);

  let files = 0;
  async function addFile(name: string, contents: string[]): Promise<void> {
    const digest = String(++files).padStart(64, "0");
    const id: string = await value(
      `insert into knowledge_files (account_id, coach_id, name, size, content_type, category, digest, storage_path)
       values ($1, $2, $3, 1, 'text/plain', 'documents', $4, $5) returning id`,
      [accountId, coachId, name, digest, `path-${files}`],
    );
    await value("select store_passages($1, 0, $2)", [id, JSON.stringify(contents.map((content) => ({ content })))]);
  }
  async function find(question: string): Promise<string[]> {
    const found: { content: string }[] | null = await value(
      "select private.find_passages($1, null, now(), $2, '{}', null)",
      [coachId, question],
    );
    return (found ?? []).map(({ content }) => content);
  }

  await t.step("the same text in many files takes one place", async () => {
    for (let copy = 1; copy <= 9; copy++) await addFile(`owls-${copy}.txt`, ["Owls hunt at night."]);
    await addFile("more.txt", ["Some owls sleep in barns."]);
    assertEquals((await find("When do owls hunt?")).toSorted(), ["Owls hunt at night.", "Some owls sleep in barns."]);
  });

  await t.step("the address of a link is shown, but does not count for ranking", async () => {
    const content = "Book a call here (https://calendar.example.com/heron).";
    await addFile("calls.txt", [content]);
    assertEquals(await find("How do I book?"), [content]);
    assertEquals(await find("heron calendar"), []);
  });
});
