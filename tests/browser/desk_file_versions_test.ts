/// <reference lib="dom" />
import { Buffer } from "node:buffer";
import { assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { finishIndexing } from "../support/knowledge.ts";
import { changeAnswer, storeAnswer } from "../support/turns.ts";
import { sitDown } from "./desk.ts";
import { assertSound } from "./find_barriers.ts";
import { readerOf } from "./reader_window.ts";
import { openSite } from "./site.ts";
import { en, fill, plural } from "./texts.ts";

const file = (content: string) => ({ name: "guide.md", mimeType: "", buffer: Buffer.from(content) });

Deno.test("a file at the desk: read, replaced, dated", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const expert = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
  const { uploadedFiles: [uploaded] } = await expert.uploadFiles(tenant.coachId, [new File(["Eat oats."], "guide.md")]);
  const { fileId } = uploaded!;
  await finishIndexing(service, tenant.coachId);
  await using visited = await sitDown(site, { place: "#files" });
  const { page } = visited;
  const row = page.getByRole("list", { name: en.desk.files.title }).getByRole("article", { name: "guide.md" });
  const button = (name: string) => page.locator("human-desk-file").first().getByRole("button", { name });
  const uploads = page.getByRole("list", { name: en.desk.files.uploads });
  const stored = async () => (await expert.searchFiles({ coachId: tenant.coachId })).data;
  const send = (content: string) => page.locator("input[type=file]").setInputFiles([file(content)]);

  await t.step("its name opens it in the reader", async () => {
    await row.getByRole("button", { name: "guide.md" }).click();
    await readerOf(page).getByText("Eat oats.").waitFor();
    await page.keyboard.press("Escape");
    await readerOf(page).waitFor({ state: "detached" });
  });
  await t.step("one of the same name asks whether it replaces the other; until it is read, that stays", async () => {
    await send("Eat barley.");
    await uploads.getByText(/^A file with this name is there already/).waitFor();
    await uploads.getByRole("button", { name: en.desk.files.replace }).click();
    await uploads.getByText(plural(en.desk.files.uploaded, 1)).waitFor();
    await finishIndexing(service, tenant.coachId);
    assertEquals((await stored()).map((stored) => [stored.fileId, stored.version]), [[fileId, 2]]);
    await page.reload();
    await row.getByText(en.desk.files.readyTag).waitFor();
  });
  await t.step("its details say what changed", async () => {
    await button(en.desk.files.details).click();
    await page.getByText(`${en.desk.files.went}: 1, ${en.desk.files.came}: 1`, { exact: true }).click();
    await page.getByText("Eat barley.").waitFor();
    await page.getByText("Eat oats.").waitFor();
  });
  await t.step("it gets a name and days; outside of them it says so", async () => {
    await page.getByLabel(en.desk.files.until).fill("2026-01-31");
    await page.getByRole("button", { name: en.desk.parts.save }).click();
    await row.getByText(en.desk.files.notToday).waitFor();
    await row.getByText(fill(en.desk.files.validUntil, { day: "Jan 31, 2026" })).waitFor();
    assertEquals((await stored())[0]!.is_valid_today, false);
    await page.getByLabel(en.desk.files.until).fill("");
    await page.getByLabel(en.desk.files.name).fill("plan.md");
    await page.getByRole("button", { name: en.desk.parts.save }).click();
    await page.getByRole("article", { name: "plan.md" }).waitFor();
    await expert.updateFile(tenant.coachId, fileId, { filename: "guide.md" });
  });
  await t.step("an own button replaces it with a file of any name", async () => {
    await page.reload();
    const choosing = page.waitForEvent("filechooser");
    await button(en.desk.files.replace).click();
    await (await choosing).setFiles([{ ...file("Eat rye."), name: "rye.md" }]);
    await page.getByText(/^The new version of .* is being read/).waitFor();
    await finishIndexing(service, tenant.coachId);
    assertEquals((await stored()).map(({ filename, version }) => [filename, version]), [["rye.md", 3]]);
    await expert.updateFile(tenant.coachId, fileId, { filename: "guide.md" });
    await page.reload();
  });
  await t.step("or both are kept", async () => {
    await send("Eat spelt.");
    await uploads.getByRole("button", { name: en.desk.files.keepBoth }).click();
    await uploads.getByText(plural(en.desk.files.uploaded, 1)).waitFor();
    await finishIndexing(service, tenant.coachId);
    const [added] = await stored();
    await expert.deleteFile(tenant.coachId, added!.fileId);
    assertEquals((await stored()).length, 1);
  });
  await t.step("it says which answers quote it, and deleting asks with their number", async () => {
    const { threadId, messageId } = await storeAnswer(tenant, { content: "Rye", status: "complete" });
    const source = { kind: "passage", number: 1, fileId, quote: "Eat rye.", passageId: "x", filename: "guide.md" };
    await changeAnswer(messageId, { sources: [source] });
    await page.reload();
    await row.getByText(plural(en.desk.files.quoted, 1)).waitFor();
    await button(en.desk.files.details).click();
    const link = page.getByRole("list", { name: en.desk.files.quotes }).getByRole("link", { name: "Talk" });
    assertEquals(await link.getAttribute("href"), `#conversations/${threadId}`);
    await button(en.desk.parts.delete).click();
    await page.getByRole("group", { name: plural(en.desk.files.deleteQuoted, 1) }).waitFor();
    await page.keyboard.press("Escape");
    await assertSound(page, "a file");
  });
  await t.step("several at once: the names are looked up once, and one of the same name among them asks", async () => {
    const listed: string[] = [];
    page.on("request", (request) => {
      if (/knowledge-handler\?.*limit=100/.test(request.url())) listed.push(request.method());
    });
    const [oats, rye, more] = ["Oats.", "Rye.", "More oats."].map((text) => ({ ...file(text), name: `${text[0]}.md` }));
    await page.locator("input[type=file]").setInputFiles([oats!, rye!, more!, { ...more!, name: "O.md" }]);
    await uploads.getByText(/^A file with this name is there already/).waitFor();
    await uploads.getByText(plural(en.desk.files.uploaded, 3)).waitFor();
    await uploads.getByRole("button", { name: en.desk.files.keepBoth }).click();
    await uploads.getByText(plural(en.desk.files.uploaded, 4)).waitFor();
    assertEquals(listed, ["GET"]);
    for (const { fileId } of (await stored()).slice(0, 4)) await expert.deleteFile(tenant.coachId, fileId);
    await page.reload();
  });
  await t.step("on a phone, from right to left", async () => {
    const size = { width: 390, height: 844 };
    await using phone = await sitDown(site, { place: "#files", viewport: size, locale: "ar" });
    await phone.page.locator("human-desk-file button[aria-expanded]").first().click();
    await phone.page.locator("human-desk-file-details ul").first().waitFor();
    await assertSound(phone.page, "a file on a phone");
  });
});
