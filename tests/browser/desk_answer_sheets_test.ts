import { Buffer } from "node:buffer";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { sitDown } from "./desk.ts";
import { findBarriers } from "./find_barriers.ts";
import { openSite } from "./site.ts";
import { en, fill, plural } from "./texts.ts";

const file = (name: string, content: string | Buffer) => ({ name, mimeType: "text/csv", buffer: Buffer.from(content) });

Deno.test("sheets of answers at the desk", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const expert = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
  const stored = async () =>
    (await expert.listPinnedAnswers(tenant.coachId)).data.map(({ question, answer }) => [question, answer]).toSorted();
  await using visited = await sitDown(site, { place: "#answers" });
  const { page } = visited;
  const choose = (name: string, content: string | Buffer) =>
    page.locator("input[type=file]").setInputFiles([file(name, content)]);
  const rows = page.getByRole("table").getByRole("row");

  await t.step("a file is shown row by row before anything is stored", async () => {
    await page.getByRole("link", { name: en.desk.answers.import }).click();
    await page.getByRole("heading", { name: en.desk.answers.importTitle }).waitFor();
    await choose("faq.csv", "question;answer;notes\r\nMay dogs come?;Yes, <b>quiet</b> ones.;x\r\nWhy?;So.;\r\n");
    await page.getByText(plural(en.desk.answers.newAnswers, 2)).waitFor();
    await page.getByText(plural(en.desk.answers.unusedColumns, 1, { names: "notes" })).waitFor();
    await rows.filter({ hasText: "May dogs come?" }).getByText("Yes, <b>quiet</b> ones.").waitFor();
    await rows.filter({ hasText: "May dogs come?" }).getByText(en.desk.answers.stateNew, { exact: true }).waitFor();
    assertEquals(await page.locator("#preview").evaluate((heading) => heading.matches(":focus")), true);
    assertEquals(await stored(), []);
  });

  await t.step("and then added, once", async () => {
    await page.getByRole("button", { name: plural(en.desk.answers.add, 2) }).dblclick();
    await page.getByText(fill(en.desk.answers.imported, { changes: plural(en.desk.answers.newAnswers, 2) })).waitFor();
    await page.getByRole("list", { name: en.desk.answers.title }).getByRole("link", { name: "May dogs come?" })
      .waitFor();
    assertEquals(await stored(), [["May dogs come?", "Yes, <b>quiet</b> ones."], ["Why?", "So."]]);
  });

  await t.step("rows that are pasted show the old answer beside the new one", async () => {
    await page.getByRole("link", { name: en.desk.answers.import }).click();
    await page.getByLabel(en.desk.answers.paste).fill("question\tanswer\nmay dogs come\tNo.\nwhy?\tSo.\nWhen?\tNow.\n");
    await page.getByRole("button", { name: en.desk.answers.preview }).click();
    const changed = rows.filter({ hasText: "may dogs come" });
    await changed.locator("del").getByText("Yes, <b>quiet</b> ones.").waitFor();
    await changed.locator("ins").getByText("No.").waitFor();
    await page.getByRole("button", { name: plural(en.desk.answers.addAndChange, 1, { changed: 2 }) }).waitFor();
    // Other rows than those of the preview cannot be imported.
    await page.getByLabel(en.desk.answers.paste).fill("question\tanswer\nmay dogs come\tPerhaps.\n");
    await page.getByRole("button", { name: plural(en.desk.answers.addAndChange, 1, { changed: 2 }) }).waitFor({
      state: "detached",
    });
    await page.getByRole("button", { name: en.desk.answers.preview }).click();
    await page.getByRole("button", { name: plural(en.desk.answers.change, 1) }).click();
    await page.getByText(fill(en.desk.answers.imported, { changes: plural(en.desk.answers.changed, 1) })).waitFor();
    assertEquals(await stored(), [["Why?", "So."], ["may dogs come", "Perhaps."]]);
  });

  await t.step("refused rows are named, and nothing can be imported", async () => {
    await page.getByRole("link", { name: en.desk.answers.import }).click();
    await choose("bad.csv", "question,answer\nFine?,Yes.\n,No.\nFine,Other.\n");
    const refused = page.getByRole("list", { name: en.desk.answers.refusedRows });
    await refused.getByText(fill(en.desk.answers.refusedRow, { row: 3, reason: "question must not be blank" }))
      .waitFor();
    await refused.getByText(
      fill(en.desk.answers.refusedRow, { row: 4, reason: "The same question as in row 2, with other contents" }),
    ).waitFor();
    assertEquals(await page.getByRole("button", { name: /^(?:Add|Change) / }).count(), 0);
    assertEquals((await stored()).length, 2);
  });

  await t.step("the preview has no barriers, and fits a phone", async () => {
    assertEquals(await findBarriers(page), []);
    await page.setViewportSize({ width: 390, height: 844 });
    assertEquals(await findBarriers(page), []);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert(overflow <= 0, String(overflow));
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await t.step("a file that is no sheet is refused in a sentence", async () => {
    const alert = page.getByRole("alert");
    await choose("columns.csv", "q,a\nWhy?,So.\n");
    await alert.getByText(/must name the columns question and answer/).waitFor();
    await choose("latin.csv", Buffer.from([0x71, 0xfc]));
    await alert.getByText(en.desk.answers.notCsv).waitFor();
    await choose("large.csv", "x".repeat(1024 * 1024 + 1));
    await alert.getByText(en.desk.answers.tooLarge).waitFor();
  });

  await t.step("the export is a file that says the same again", async () => {
    await page.getByRole("link", { name: en.desk.answers.title }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: en.desk.answers.export }).click();
    const saved = await download;
    assertEquals(saved.suggestedFilename(), "answers.csv");
    const content = await Deno.readTextFile(await saved.path());
    assertMatch(content, /^\ufeffquestion,answer,variants,is_active\r\n/);
    await page.getByRole("link", { name: en.desk.answers.import }).click();
    await choose("answers.csv", content);
    await page.getByText(en.desk.answers.nothingToImport).waitFor();
    assertEquals((await stored()).length, 2);
  });
});
