import { createHash } from "node:crypto";
import { assertEquals } from "../support/assert.ts";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

const md5 = (text: string) => createHash("md5").update(text).digest("hex");
const vector = `[${[1, ...Array(1535).fill(0)].join()}]`;

Deno.test("comparing files, as the sweeps do it", async (t) => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const stranger = await insertCoach(postgres);
  let files = 0;
  /** A file that was read. */
  const read = async (contents: string[], of = { accountId, coachId }): Promise<string> => {
    const fileId = await value(
      `insert into knowledge_files (account_id, coach_id, name, size, content_type, category, digest, storage_path, status, claim)
       values ($1, $2, $3, 1, 'text/plain', 'documents', $4, $3, 'indexing', gen_random_uuid()) returning id`,
      [of.accountId, of.coachId, `file ${++files}`, String(files).padStart(64, "0")],
    );
    const passages = contents.map((content) => ({ content, embedding: { model: "m", vector } }));
    await value(
      "select save_indexing(id, claim, 0, $2, 'ready', null, null, false) from knowledge_files where id = $1",
      [
        fileId,
        JSON.stringify(passages),
      ],
    );
    return fileId;
  };
  const take = () => value("select take_comparison()");
  const save = (step: { file_id: string; claim: string }, notes: unknown[], next: number | null = null) =>
    value("select save_comparison($1, $2, $3, 1, $4, false)->'is_claimed'", [
      step.file_id,
      step.claim,
      JSON.stringify(notes),
      next,
    ]);
  const note = (other_file_id: string, one: string) => ({
    passage_id: md5("Snow falls in winter."),
    other_file_id,
    other_passage_id: md5("Owls hunt at night."),
    statements: [{ kind: "number", one, other: "two" }],
    is_confirmed: true,
  });
  const count = (where = "true") => value(`select count(*)::integer from private.contradictions where ${where}`);
  const work = async () => {
    for (let step = await take(); step !== null; step = await take()) await save(step, []);
  };

  const others = [await read(["Owls hunt at night."])];
  const foreign = await read(["Owls hunt by day."], stranger);
  await work();

  await t.step("a file that was read is due, a step of it at a time, with what is near in meaning alone", async () => {
    const fileId = await read(Array.from({ length: 7 }, (_, index) => `Larks sing ${"a".repeat(index + 1)}`));
    const first = await take();
    assertEquals([first.file_id, first.passages.length, first.next, first.known], [fileId, 6, 6, []]);
    const near = (step: typeof first) => step.passages[0].near.map(({ file_id }: { file_id: string }) => file_id);
    assertEquals(near(first), others, "neither its own passages nor those of another coach");
    assertEquals(await take(), null, "it is claimed");
    assertEquals(await save(first, [], first.next), true);
    const second = await take();
    assertEquals([second.passages.length, second.next, second.asked], [1, null, 1]);
    assertEquals(await save(second, [note(others[0]!, "one")]), true);
    assertEquals([await count(), await take()], [1, null]);
  });

  await t.step("what answers do not draw on today is near nothing, by its meaning neither", async () => {
    const setEnd = (day: string | null) => value("update knowledge_files set valid_until = $1", [day]);
    await setEnd("2020-12-31");
    await read(["Foxes dig."]);
    const step = await take();
    assertEquals([step.passages.length, step.passages[0].near], [1, []]);
    await save(step, []);
    await setEnd(null);
  });

  await t.step("what a killed worker has claimed is due again, and that worker saves nothing any more", async () => {
    const fileId = await read(["Tides come twice."]);
    const lost = await take();
    await value("update private.comparisons set due_at = now() - interval '1 second'");
    const step = await take();
    assertEquals([step.file_id, step.attempt, await save(lost, [note(others[0]!, "lost")])], [fileId, 2, false]);
    assertEquals(await save(step, [note(others[0]!, "kept")]), true);
    assertEquals(await count(`statements->0->>'one' in ('lost', 'kept')`), 1);
  });

  await t.step("a step that fails waits longer each time; one that waits for a budget is no attempt", async () => {
    await read(["Rain falls in autumn."]);
    const minutes = async (waits: boolean) => {
      await value("update private.comparisons set due_at = now()");
      const { file_id, claim } = await take();
      await value("select postpone_comparison($1, $2, $3)", [file_id, claim, waits]);
      return await value("select round(extract(epoch from due_at - now()) / 60)::integer from private.comparisons");
    };
    assertEquals([await minutes(false), await minutes(true), await minutes(false)], [1, 15, 2]);
    await value("delete from private.comparisons");
  });

  await t.step("nothing is noted between coaches, nor twice, whichever file was first", async () => {
    const fileId = await read(["Snow falls in winter."]);
    const step = await take();
    const before = await count();
    await save(step, [note(foreign, "foreign"), note(others[0]!, "three")]);
    assertEquals([await count() - before, await count("statements->0->>'one' = 'foreign'")], [1, 0]);
    await value("select private.queue_files($1, $2)", [coachId, others[0]]);
    const again = await value("update knowledge_files set status = 'ready' where replaces = $1 returning id", [
      others[0],
    ]);
    await value("select store_passages($1, 0, $2)", [again, JSON.stringify([{ content: "Owls hunt at night." }])]);
    await value("select private.take_place($1)", [again]);
    const turned = {
      ...note(fileId, "two"),
      passage_id: md5("Owls hunt at night."),
      other_passage_id: md5("Snow falls in winter."),
      statements: [{ kind: "number", one: "two", other: "three" }],
    };
    await save(await take(), [turned]);
    const kept = "statements->0->>'one' in ('two', 'three')";
    assertEquals(await count(kept), 1);
  });

  await t.step("a file whose days begin later is compared on the first of them", async () => {
    const fileId = await read(["Hail falls at dusk."]);
    const due = () => value("select due_at::text from private.comparisons where file_id = $1", [fileId]);
    await value("update knowledge_files set valid_from = '2999-01-02' where id = $1", [fileId]);
    assertEquals([new Date(await due()).toISOString(), await take()], ["2999-01-02T00:00:00.000Z", null]);
    await value("update knowledge_files set name = 'hail.txt' where id = $1", [fileId]);
    assertEquals(new Date(await due()).toISOString(), "2999-01-02T00:00:00.000Z");
    await value("update knowledge_files set valid_from = null where id = $1", [fileId]);
    assertEquals((await take()).file_id, fileId);
    await value("delete from private.comparisons");
  });

  await t.step("a file has at most 20 open notes, whatever becomes of one that is denied", async () => {
    await value("delete from private.contradictions");
    await read(["Wind blows in spring."]);
    // Its other file was deleted meanwhile.
    const denied = { ...note(crypto.randomUUID(), "denied"), is_denied: true };
    const notes = Array.from({ length: 30 }, (_, index) => note(others[0]!, `statement ${index}`));
    await save(await take(), [denied, ...notes]);
    assertEquals(await count(), 20);
  });

  await t.step("of a file that is gone, nothing is left", async () => {
    await value("delete from knowledge_files where id = $1", [others[0]]);
    assertEquals([await count(), await take()], [0, null]);
  });
});
