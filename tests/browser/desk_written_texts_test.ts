/// <reference lib="dom" />
import type { Page } from "playwright-core";
import { assert, assertEquals } from "../support/assert.ts";
import { chat, clientOf } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { finishIndexing, tryAgain } from "../support/knowledge.ts";
import { addExpert, createUser } from "../support/project.ts";
import { sitDown } from "./desk.ts";
import { assertSound } from "./find_barriers.ts";
import { openSite, type Site } from "./site.ts";
import { ar, en, fill, whole } from "./texts.ts";

const { files } = en.desk;

const clientOfExpert = ({ service, tenant, expert }: Site) =>
  clientOf(service, { ...tenant, accessToken: expert.accessToken });

/** The parts of the editor. */
const editorOf = (page: Page) => ({
  title: page.getByRole("textbox", { name: files.textTitle }),
  content: page.getByRole("textbox", { name: files.content, exact: true }),
  saved: page.getByRole("status").getByText(whole(en.desk.persona.savedAt)),
  press: (name: string) => page.getByRole("button", { name, exact: true }).click(),
});

/** Opens the editor of a text that is stored. */
async function openText(site: Site, fileId: string, options: Parameters<typeof sitDown>[1] = {}) {
  const visited = await sitDown(site, { place: `#files/${fileId}`, ...options });
  await visited.page.locator("human-desk-text textarea, human-desk-text .preview").first().waitFor();
  return visited;
}

Deno.test("an expert writes a text at the desk", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const expert = clientOfExpert(site);
  const stored = async () => (await expert.searchFiles({ coachId: tenant.coachId })).data;
  const textOf = async () => await expert.getText(tenant.coachId, (await stored())[0]!.fileId);
  const isStored = (content: string) =>
    eventually(async () => (await textOf()).content === content, `${content} is stored`);
  await using visited = await sitDown(site, { place: "#files" });
  const { page } = visited;
  const { title, content, saved, press } = editorOf(page);
  const row = page.getByRole("list", { name: files.title }).getByRole("article", { name: "Before a visit" });

  await t.step("beside the button that uploads; without a title it says so, and the browser asks", async () => {
    await page.getByRole("link", { name: files.write }).click();
    await content.fill("Bring berries.");
    await page.getByText(files.titleMissing).waitFor();
    await page.getByRole("status").getByText(files.notSavedYet).waitFor();
    const asked = page.waitForEvent("dialog");
    const closing = page.close({ runBeforeUnload: true });
    const dialog = await asked;
    assertEquals(dialog.type(), "beforeunload");
    await Promise.all([dialog.dismiss(), closing]);
    assertEquals(await stored(), []);
  });

  await t.step("with one it is stored, and the address becomes its own while one goes on writing", async () => {
    await title.fill("Before a visit");
    await saved.waitFor();
    const [file] = await stored();
    await page.waitForURL(`**/#files/${file!.fileId}`);
    assertEquals([file!.filename, file!.is_text], ["Before a visit.md", true]);
    await content.pressSequentially(" And plums.");
    assertEquals(await content.inputValue(), "Bring berries. And plums.");
    await isStored("Bring berries. And plums.");
    assertEquals((await stored()).length, 1);
  });

  await t.step("the bar marks what is selected, and the browser undoes it", async () => {
    await content.fill("Bring\nberries\nplums");
    await content.selectText();
    await press(files.list);
    assertEquals(await content.inputValue(), "- Bring\n- berries\n- plums");
    await press(files.numbers);
    await press(files.numbers);
    assertEquals(await content.inputValue(), "Bring\nberries\nplums");
    await page.keyboard.press("Control+z");
    assertEquals(await content.inputValue(), "1. Bring\n2. berries\n3. plums");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    assertEquals(await content.inputValue(), "Bring\nberries\nplums");
  });

  await t.step("by keyboard, too: bold, italic, a link, and lists that go on", async () => {
    await content.fill("");
    await content.pressSequentially("Bring ");
    await page.keyboard.press("Control+b");
    await page.keyboard.type("berries");
    await page.keyboard.press("Control+b");
    assertEquals(await content.inputValue(), "Bring **berries**");
    await content.selectText();
    await page.keyboard.press("Control+i");
    assertEquals(await content.inputValue(), "*Bring **berries***");
    await page.keyboard.press("Control+i");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("the plan");
    assertEquals(await content.inputValue(), "Bring **berries**[the plan](https://)");
    await content.fill("- oats");
    await content.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("rye");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Eat [them](https://example.org) **daily**.");
    assertEquals(await content.inputValue(), "- oats\n- rye\n\nEat [them](https://example.org) **daily**.");
    await content.press("ControlOrMeta+Home");
    await press(files.heading);
    assert((await content.inputValue()).startsWith("## - oats"));
    await press(files.heading);
    await press(files.heading);
  });

  await t.step("the preview shows what it becomes", async () => {
    await content.fill("## Breakfast\n\n- oats\n- rye\n\nEat **daily**.");
    await press(en.desk.parts.preview);
    const preview = page.getByRole("group", { name: en.desk.parts.preview, exact: true });
    await preview.getByRole("heading", { name: "Breakfast" }).waitFor();
    assertEquals(await preview.getByRole("listitem").allInnerTexts(), ["oats", "rye"]);
    assertEquals(await preview.locator("strong").innerText(), "daily");
    await press(en.desk.parts.edit);
    await isStored("## Breakfast\n\n- oats\n- rye\n\nEat **daily**.");
  });

  await t.step("after reloading, it is in the list, and opens in the editor instead of being replaced", async () => {
    await page.goto(`${site.url}desk/#files`);
    await page.reload();
    await row.getByText(files.writtenHere).waitFor();
    await tryAgain(service, tenant.coachId);
    await page.reload();
    await row.getByText(files.readyTag).waitFor();
    const list = page.getByRole("list", { name: files.title });
    assertEquals(await list.getByRole("button", { name: files.replace }).count(), 0);
    await list.getByRole("button", { name: files.details }).click();
    await list.getByLabel(files.until).waitFor();
    assertEquals(await list.getByLabel(files.name).count(), 0);
    await row.getByRole("link", { name: "Before a visit" }).click();
    await content.waitFor();
    assertEquals(await content.inputValue(), "## Breakfast\n\n- oats\n- rye\n\nEat **daily**.");
  });
  assertEquals(visited.errors, []);
});

Deno.test("a text that is stored answers, and is not lost", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const expert = clientOfExpert(site);
  const { fileId } = await expert.createText(tenant.coachId, {
    title: "Before a visit",
    content: "Eat rye for breakfast.",
  });
  await finishIndexing(service, tenant.coachId);
  const isStored = (content: string) =>
    eventually(
      async () => (await expert.getText(tenant.coachId, fileId)).content === content,
      `${content} is stored`,
    );
  await using visited = await openText(site, fileId);
  const { page } = visited;
  const { title, content, saved } = editorOf(page);

  await t.step("while a new version waits, the editor says what answers use; then they use it", async () => {
    const ask = async () => {
      await chat(service, tenant, { message: "What do I eat for breakfast?", context: { coachId: tenant.coachId } });
      return JSON.stringify(service.model.requestsOf(tenant.modelName).at(-1)!.body.input);
    };
    await content.fill("Eat barley for breakfast.");
    await page.getByText(files.earlierAnswers).waitFor();
    await isStored("Eat barley for breakfast.");
    assert((await ask()).includes("rye"));
    await tryAgain(service, tenant.coachId);
    await page.getByText(files.earlierAnswers).waitFor({ state: "detached" });
    const asked = await ask();
    assert(asked.includes("barley") && !asked.includes("rye"), asked);
  });

  await t.step("what is empty or too long is told at its field, and not stored", async () => {
    await content.fill("x".repeat(195_000));
    await page.getByText(fill(en.desk.persona.charactersLeft, { number: "5,000" })).waitFor();
    await content.fill("x".repeat(200_001));
    await page.getByText(fill(files.tooLong, { number: "1" })).waitFor();
    await content.fill("");
    await page.getByText(files.contentMissing).waitFor();
    assertEquals(await content.getAttribute("aria-invalid"), "true");
    await title.fill("");
    await page.getByText(files.titleMissing).waitFor();
    await title.fill("Before a visit");
    await content.fill("Eat barley.");
    await isStored("Eat barley.");
  });

  await t.step("offline it is kept and said, and saved when the network is back", async () => {
    assertEquals(visited.errors, []);
    await visited.context.setOffline(true);
    await content.fill("Written on a train.");
    await page.getByText(en.desk.persona.keptHere).waitFor();
    await page.getByRole("status").getByText(en.desk.persona.notSaved, { exact: true }).waitFor();
    await visited.context.setOffline(false);
    await isStored("Written on a train.");
    await saved.waitFor();
  });

  await t.step("the list has its new title, also before that has been read", async () => {
    await title.fill("Before each visit");
    await eventually(
      async () => (await expert.getText(tenant.coachId, fileId)).title === "Before each visit",
      "the title is stored",
    );
    await page.getByRole("link", { name: files.title, exact: true }).first().click();
    await page.getByRole("article", { name: "Before each visit", exact: true }).getByText(files.newBeingRead).waitFor();
    await page.getByRole("link", { name: "Before each visit", exact: true }).click();
    await content.waitFor();
  });

  await t.step("leaving the editor saves it; one that is gone says so", async () => {
    await content.fill("Written in haste.");
    await page.getByRole("link", { name: files.title, exact: true }).first().click();
    await isStored("Written in haste.");
    await expert.deleteFile(tenant.coachId, fileId);
    await page.goto(`${site.url}desk/#files/${fileId}`);
    await page.getByText(files.textGone).waitFor();
    assertEquals(await page.getByRole("button", { name: files.saveAsNew }).count(), 0);
  });

  await t.step("one that a colleague deletes while it is open can be saved as a new one", async () => {
    const gone = await expert.createText(tenant.coachId, { title: "Lunch", content: "Eat rice." });
    await page.goto(`${site.url}desk/#files/${gone.fileId}`);
    await content.waitFor();
    await expert.deleteFile(tenant.coachId, gone.fileId);
    await content.fill("Eat rice with beans.");
    await page.getByRole("button", { name: files.saveAsNew }).waitFor();
    await assertSound(page, "a text that is gone");
    // What was written is in the tab, also after it was loaded again.
    await page.reload();
    await page.getByRole("button", { name: files.saveAsNew }).click();
    await page.waitForURL((url) => /#files\/[0-9a-f-]{36}$/.test(url.hash) && !url.hash.endsWith(gone.fileId));
    const [file] = (await expert.searchFiles({ coachId: tenant.coachId })).data;
    assert(page.url().endsWith(file!.fileId), page.url());
    const { title: name, content: words } = await expert.getText(tenant.coachId, file!.fileId);
    assertEquals([name, words], ["Lunch", "Eat rice with beans."]);
    assertEquals(await content.inputValue(), "Eat rice with beans.");
    await page.getByText(files.textGone).waitFor({ state: "detached" });
  });
});

Deno.test("two people write a text at once", async (t) => {
  await using site = await openSite();
  const { tenant } = site;
  const expert = clientOfExpert(site);
  const { fileId } = await expert.createText(tenant.coachId, { title: "Prices", content: "A visit costs €70." });
  const editor = await createUser();
  await addExpert(tenant.coachId, editor, "editor");
  await using first = await openText(site, fileId);
  await using second = await openText(site, fileId, { expert: editor });
  const [mine, theirs] = [editorOf(first.page), editorOf(second.page)];
  const notice = second.page.getByRole("region", { name: en.desk.persona.meanwhile });
  const stored = async () => (await expert.getText(tenant.coachId, fileId)).content;
  const isStored = (content: string) => eventually(async () => await stored() === content, `${content} is stored`);

  await t.step("different fields: both are kept", async () => {
    await mine.title.fill("Prices of 2027");
    await eventually(
      async () => (await expert.getText(tenant.coachId, fileId)).title === "Prices of 2027",
      "the title is stored",
    );
    await theirs.content.fill("A visit costs €75.");
    await notice.getByText(en.desk.persona.nothingLost).waitFor();
    await isStored("A visit costs €75.");
    assertEquals(await theirs.title.inputValue(), "Prices of 2027");
    await notice.getByRole("button", { name: en.desk.persona.understood }).click();
  });

  for (const [button, content] of [["takeTheirs", "A visit costs €80."], ["keepMine", "A visit costs €90."]] as const) {
    await t.step(`the same field: ${button}`, async () => {
      await first.page.reload();
      await mine.content.waitFor();
      await mine.content.fill("A visit costs €80.");
      await isStored("A visit costs €80.");
      await theirs.content.fill("A visit costs €90.");
      await notice.getByRole("button", { name: en.desk.persona[button] }).waitFor();
      await notice.getByText("80", { exact: true }).waitFor();
      await notice.getByText(site.expert.email).waitFor();
      assertEquals([await theirs.content.inputValue(), await stored()], ["A visit costs €90.", "A visit costs €80."]);
      await assertSound(second.page, "a conflict");
      await notice.getByRole("button", { name: en.desk.persona[button] }).click();
      await isStored(content);
      assertEquals(await theirs.content.inputValue(), content);
      // The next round begins with another text.
      await theirs.content.fill("A visit costs €75.");
      await isStored("A visit costs €75.");
    });
  }

  await t.step("who only answers reads it, as it is shown", async () => {
    const answerer = await createUser();
    await addExpert(tenant.coachId, answerer, "answerer");
    await using third = await openText(site, fileId, { expert: answerer });
    await third.page.getByText(en.desk.persona.onlyRead).waitFor();
    await third.page.getByText("A visit costs €75.").waitFor();
    assertEquals(await third.page.getByRole("textbox").count(), 0);
    await third.page.goto(`${site.url}desk/#files`);
    await third.page.getByRole("link", { name: "Prices of 2027", exact: true }).waitFor();
    assertEquals(await third.page.getByRole("link", { name: files.write }).count(), 0);
  });

  await t.step("no barriers, also on a phone and from right to left", async () => {
    await assertSound(first.page, "the editor");
    const size = { width: 390, height: 844 };
    await using phone = await openText(site, fileId, { viewport: size, locale: "ar", colorScheme: "dark" });
    await phone.page.getByRole("button", { name: ar.desk.files.bold }).click();
    await assertSound(phone.page, "the editor on a phone");
    await phone.page.getByRole("button", { name: ar.desk.parts.preview }).click();
    await assertSound(phone.page, "the preview on a phone");
    assertEquals([first.errors, second.errors, phone.errors], [[], [], []]);
  });
});
