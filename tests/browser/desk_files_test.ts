/// <reference lib="dom" />
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { finishIndexing, uploadAndIndex } from "../support/knowledge.ts";
import { samplePictures } from "../support/sample_pictures.ts";
import { sitDown } from "./desk.ts";
import { assertSound } from "./find_barriers.ts";
import { openSite } from "./site.ts";
import { en, plural } from "./texts.ts";

const file = (name: string, content: string) => ({ name, mimeType: "", buffer: Buffer.from(content) });

Deno.test("files at the desk", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const expert = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
  const stored = async () =>
    (await expert.searchFiles({ coachId: tenant.coachId })).data.map(({ filename }) => filename);
  await using visited = await sitDown(site, { place: "#files" });
  const { page } = visited;
  const list = page.getByRole("list", { name: en.desk.files.title });
  const row = (name: string) => list.getByRole("article", { name, exact: true });
  const uploads = page.getByRole("list", { name: en.desk.files.uploads });
  const hostile = "Sleep <img src=x onerror=alert(1)>.md";

  await t.step("none yet: it says what they are for", () => page.getByText(en.desk.files.empty).waitFor());

  await t.step("several are chosen; each is accepted, or refused with the reason", async () => {
    await page.locator("input[type=file]").setInputFiles([
      file(hostile, "# Bedroom\n\nA cold room helps you sleep."),
      file("notes.rtf", "x"),
      file("broken.pdf", "%PDF-1.4 nothing"),
    ]);
    await uploads.getByText(plural(en.desk.files.uploaded, 2)).waitFor();
    await uploads.getByText(/^The file type is not supported/).waitFor();
    await row(hostile).waitFor();
    assertEquals((await stored()).toSorted(), [hostile, "broken.pdf"]);
  });

  await t.step("the list of what was sent can be closed", async () => {
    await uploads.getByRole("button", { name: en.desk.files.closeList }).click();
    await uploads.waitFor({ state: "detached" });
    assertEquals((await stored()).toSorted(), [hostile, "broken.pdf"]);
  });

  await t.step("their state comes by itself, with the reason of one that cannot be read", async () => {
    await finishIndexing(service, tenant.coachId);
    await row(hostile).getByText(en.desk.files.readyTag).waitFor();
    await row("broken.pdf").getByText(en.desk.files.notRead).waitFor();
    await row("broken.pdf").getByText("The file is damaged").waitFor();
    const facts = row(hostile).locator(".facts > span:not(.tag)");
    // The size, then the time: only that has a longer form.
    assertEquals(await facts.evaluateAll((all) => all.map((fact) => fact.hasAttribute("title"))), [false, true, false]);
  });

  await t.step("a reason names no setting that only operators know", async () => {
    await page.locator("input[type=file]").setInputFiles([
      { ...file("photo.png", ""), buffer: Buffer.from(samplePictures.png) },
    ]);
    await row("photo.png").waitFor();
    await finishIndexing(service, tenant.coachId);
    await row("photo.png").getByText(en.desk.files.noModel).waitFor();
    assertEquals(await page.getByText("OPENAI").count(), 0);
    const { data } = await expert.searchFiles({ coachId: tenant.coachId });
    await expert.deleteFile(tenant.coachId, data.find(({ filename }) => filename === "photo.png")!.fileId);
  });

  await t.step("one is dropped", async () => {
    const transfer = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(["Owls sleep by day."], "owls.txt"));
      return transfer;
    });
    const zone = page.locator("human-desk-drop .zone");
    await zone.dispatchEvent("dragover", { dataTransfer: transfer });
    await zone.dispatchEvent("drop", { dataTransfer: transfer });
    await row("owls.txt").waitFor();
    assertEquals((await stored()).filter((name) => name === "owls.txt").length, 1);
    // Beside the field, too.
    const other = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(["Tides come twice."], "tides.txt"));
      return transfer;
    });
    await page.getByRole("heading", { name: en.desk.files.title }).dispatchEvent("drop", { dataTransfer: other });
    await row("tides.txt").waitFor();
    const { data } = await expert.searchFiles({ coachId: tenant.coachId, search: "tides" });
    await expert.deleteFile(tenant.coachId, data[0]!.fileId);
    await finishIndexing(service, tenant.coachId);
    await row("owls.txt").getByText(en.desk.files.readyTag).waitFor();
  });

  await t.step("one that could not be sent is sent again", async () => {
    await page.route("**/knowledge-handler**", async (route) => {
      if (route.request().method() !== "POST") return await route.fallback();
      await route.fulfill({ status: 503, json: { error: "No" } });
    });
    await page.locator("input[type=file]").setInputFiles([file("tide.txt", "The tide is high.")]);
    await uploads.getByText(en.desk.parts.trouble).waitFor();
    await page.unrouteAll();
    await uploads.getByRole("button", { name: en.shared.retry }).click();
    await row("tide.txt").waitFor();
    assertEquals(await uploads.getByText("not sent").count(), 0);
    const { data } = await expert.searchFiles({ coachId: tenant.coachId });
    await expert.deleteFile(tenant.coachId, data.find(({ filename }) => filename === "tide.txt")!.fileId);
  });

  await t.step("the search finds passages as the persona would, and files", async () => {
    await page.getByRole("searchbox").fill("cold room");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: en.desk.files.passages }).waitFor();
    await page.locator("human-desk-passage").getByText("A cold room helps you sleep.").waitFor();
    await row("owls.txt").waitFor({ state: "detached" });
    await page.getByRole("button", { name: en.desk.parts.bar }).click();
    await page.getByText(en.desk.parts.barredTag).waitFor();
    await page.reload();
    await page.getByText(en.desk.parts.none).waitFor();
    await page.goBack();
  });

  await t.step("one is deleted by who means it", async () => {
    const entry = list.getByRole("listitem").filter({ hasText: "owls.txt" });
    await entry.getByRole("button", { name: en.desk.parts.delete }).click();
    await page.keyboard.press("Escape");
    await entry.getByRole("button", { name: en.desk.parts.delete }).click();
    await entry.getByRole("group").getByRole("button", { name: en.desk.parts.delete }).dblclick();
    await row("owls.txt").waitFor({ state: "detached" });
    assertEquals((await stored()).toSorted(), [hostile, "broken.pdf"]);
  });

  await t.step("nothing else went wrong on the way, and nobody but the service was asked", () => {
    const errors = visited.errors.filter((error) => !/status of 503/.test(error));
    assertEquals([errors, [...visited.origins]], [[], [new URL(site.url).origin]]);
  });
});

Deno.test("what files contradict each other in, at the desk", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const expert = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
  const rows = (price: number) => `# Prices\n\n| Consultation | 60 min | €${price} |\n| Follow-up | 30 min | €60 |\n`;
  service.model.script(tenant.modelName, { steps: [{ text: "1" }] });
  await uploadAndIndex(service, tenant, ["2025 <b>.md", rows(120)]);
  await uploadAndIndex(service, tenant, ["2026.md", rows(140)]);
  await using visited = await sitDown(site, { place: "#files", bypassCSP: true });
  const { page } = visited;
  const texts = en.desk.files;
  const card = page.getByRole("article", { name: texts.contradicts });

  await t.step("a line above the files leads to both passages side by side, with what differs marked", async () => {
    await page.getByText(plural(texts.contradictionsFound, 1)).waitFor();
    await page.getByRole("link", { name: texts.lookAtThem }).click();
    await card.waitFor();
    assertEquals(await card.locator("[role=group]").evaluateAll((sides) => sides.map((side) => side.ariaLabel)), [
      "2026.md",
      "2025 <b>.md",
    ]);
    assertEquals(await card.locator("ins").allInnerTexts(), ["140", "120"]);
    await page.setViewportSize({ width: 390, height: 800 });
    await assertSound(page, "contradictions");
  });

  await t.step("one counts: the other passage is barred, and both are gone from the list", async () => {
    await card.getByRole("group", { name: "2026.md" }).getByRole("button", { name: texts.thisCounts }).click();
    await page.getByText(texts.noContradictions).waitFor();
    const { data } = await expert.listBarredPassages(tenant.coachId);
    assertEquals(data.map(({ filename }) => filename), ["2025 <b>.md"]);
    await page.getByRole("link", { name: texts.title, exact: true }).first().click();
    await list(page).waitFor();
    assertEquals(await page.getByText(plural(texts.contradictionsFound, 1)).count(), 0);
  });

  await t.step("a file is out of date: its days end, and the list of files says so", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "1" }] });
    await uploadAndIndex(service, tenant, ["2027.md", rows(160)]);
    await page.reload();
    await page.getByRole("link", { name: texts.lookAtThem }).click();
    await card.getByRole("group", { name: "2026.md" }).getByRole("button", { name: texts.isOutOfDate }).click();
    await page.getByText(texts.noContradictions).waitFor();
    assertEquals((await expert.listBarredPassages(tenant.coachId)).count, 1);
    await page.getByRole("link", { name: texts.title, exact: true }).first().click();
    await list(page).getByRole("article", { name: "2026.md" }).getByText(texts.notToday).waitFor();
    assertEquals(await list(page).getByText(texts.notToday).count(), 1);
    assertEquals(visited.errors, []);
  });
});

const list = (page: Page) => page.getByRole("list", { name: en.desk.files.title });
