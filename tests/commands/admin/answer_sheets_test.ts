import { join } from "node:path";
import { assertEquals, assertMatch } from "../../support/assert.ts";
import { inventAnswers } from "../../support/invent_answers.ts";
import { createTenant, operator } from "../../support/project.ts";
import { sentenceOf } from "../../support/refusals.ts";
import { writeAnswerSheet } from "../../../shared/features/pinned_answers/write_answer_sheet.ts";
import { runAdmin } from "./run_admin.ts";

/** The pinned answers of a coach, by their questions. */
async function answersOf(coachId: string) {
  const { data } = await operator.from("pinned_answers").select("question,variants,answer,is_active")
    .eq("coach_id", coachId).order("question").throwOnError();
  return data;
}

Deno.test("npm run admin -- answer import and export", async (t) => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const [{ coachId }, { coachId: copy }] = await Promise.all([createTenant(), createTenant()]);
  const write = (name: string, text: string | Uint8Array<ArrayBuffer>) =>
    Deno.writeFile(join(folder, name), typeof text === "string" ? new TextEncoder().encode(text) : text);
  const answer = (words: string, ...args: string[]) =>
    runAdmin(["answer", words, ...args, "--coach", coachId], { folder });

  await t.step("a preview shows each row, and stores nothing", async () => {
    await write("faq.csv", "\ufeffQuestion;Answer;notes\r\nWhich flour?;Rye.;x\r\nWhy?;So.;\r\n");
    const run = await answer("import", "faq.csv", "--preview");
    assertEquals(run.code, 0, run.noted);
    assertMatch(run.said, /^ *2 +added +Which flour\? +-/m);
    assertMatch(run.said, /Nothing was stored\. An import would give: 2 added, 0 changed, 0 unchanged, 0 refused\.$/);
    assertMatch(run.noted, /^Columns that are not used: notes\.$/m);
    assertEquals(await answersOf(coachId), []);
  });

  await t.step("an import adds them, changes them, and leaves what is the same", async () => {
    assertEquals((await answer("import", "faq.csv")).said, "Imported: 2 added, 0 changed, 0 unchanged.");
    await write("more.csv", "question,answer,variants\nWhich flour?,Wheat.,What flour?\nWhy?,So.,\n");
    const run = await answer("import", "more.csv", "--json");
    const { added, changed, unchanged, refused } = run.json();
    assertEquals([added, changed, unchanged, refused], [0, 1, 1, 0]);
    assertEquals(await answersOf(coachId), [
      { question: "Which flour?", variants: ["What flour?"], answer: "Wheat.", is_active: true },
      { question: "Why?", variants: [], answer: "So.", is_active: true },
    ]);
  });

  await t.step("each bad row is named, and nothing is stored", async () => {
    const before = await answersOf(coachId);
    await write("bad.csv", "question,answer\nFine?,Yes.\n,No.\n\u001b[2Jfine,Other.\nFine?,Thus.\n");
    const run = await answer("import", "bad.csv");
    assertEquals([run.code, run.said], [1, ""]);
    assertEquals(run.noted.split("\n").slice(-3), [
      "bad.csv, row 3: question must not be blank",
      "bad.csv, row 5: The same question as in row 2, with other contents",
      "Nothing was imported: 2 rows cannot be used.",
    ]);
    assertEquals(await answersOf(coachId), before);
  });

  await t.step("files that cannot be read are refused", async () => {
    await write("latin.csv", new Uint8Array([0x71, 0xfc]));
    await write("empty.csv", "\n");
    await write("columns.csv", "q,a\nWhy?,So.\n");
    await write("large.csv", `question,answer\nQ,${"x".repeat(1024 * 1024)}\n`);
    const rows: [file: string, code: number, noted: RegExp][] = [
      ["latin.csv", 2, /latin\.csv is not in UTF-8/],
      ["none.csv", 2, /none\.csv does not exist/],
      ["empty.csv", 1, /empty\.csv: csv must not be blank/],
      ["columns.csv", 1, /must name the columns question and answer: question is missing\./],
      ["large.csv", 1, /large\.csv: csv must be at most 1 MB/],
    ];
    for (const [file, code, noted] of rows) {
      const run = await answer("import", file);
      assertEquals(run.code, code, run.noted);
      assertMatch(run.noted, noted);
    }
    const unknown = await runAdmin(["answer", "import", "faq.csv", "--coach", "nobody"], { folder });
    assertEquals([unknown.code, unknown.noted.split("\n").at(-1)], [1, sentenceOf("coach_not_found")]);
  });

  await t.step("what export writes is what import reads", async () => {
    await write("hostile.csv", writeAnswerSheet(inventAnswers(200, 3)));
    assertEquals((await answer("import", "hostile.csv")).code, 0);
    const run = await answer("export", "--output", "all.csv");
    assertEquals([run.code, run.said], [0, "Wrote 202 pinned answers to all.csv."], run.noted);
    const read = await runAdmin(["answer", "import", "all.csv", "--coach", copy], { folder });
    assertEquals(read.said, "Imported: 202 added, 0 changed, 0 unchanged.", read.noted);
    assertEquals(await answersOf(copy), await answersOf(coachId));
    assertEquals((await answer("import", "all.csv")).said, "Imported: 0 added, 0 changed, 202 unchanged.");
  });

  await t.step("export writes to stdout, and to a terminal nothing that controls it", async () => {
    const { coachId: other } = await createTenant();
    await write("escape.csv", "question,answer\n\u001b[2J?,=1+1\n");
    await runAdmin(["answer", "import", "escape.csv", "--coach", other], { folder });
    const args = ["answer", "export", "--coach", other];
    const header = "question,answer,variants,is_active";
    assertEquals((await runAdmin(args)).said, `${header}\r\n\u001b[2J?,'=1+1,,true`);
    assertEquals((await runAdmin(args, { isTerminal: true })).said, `${header}\n\\u{1b}[2J?,'=1+1,,true`);
  });
});
