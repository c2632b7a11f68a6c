/// <reference lib="dom" />
import { assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { addFile } from "../support/knowledge.ts";
import { runTests } from "../support/persona_tests.ts";
import { createUser } from "../support/project.ts";
import { onceARun } from "../support/slow.ts";
import { goTo, sitDown } from "./desk.ts";
import { findBarriers } from "./find_barriers.ts";
import { looks } from "./looks.ts";
import { addBook, hashOf, linkTo, waitForHash } from "./reader.ts";
import { markedIn, readerOf } from "./reader_window.ts";
import { openSite, visit } from "./site.ts";
import { en, fill, plural, whole } from "./texts.ts";

const question = "How cold is a bedroom at night?";

Deno.test("the reader at the desk", async (t) => {
  // The coach's own expert may read its files, even if nobody else may.
  await using site = await openSite({ sources_are_open: false });
  const { tenant, service, expert } = site;
  const { fileId, passageId } = await addBook(tenant);
  await addFile(tenant, "Owls.md", "Owls sleep by day, however cold a bedroom is.");
  const link = linkTo(tenant, fileId, passageId);
  const person = clientOf(service, { ...tenant, accessToken: (await createUser()).accessToken });
  service.model.script(tenant.modelName, { steps: [{ text: "Keep it **cold** [1], as [2] says." }] });
  const answer = await person.chat({ message: question, context: { coachId: tenant.coachId } });
  await Array.fromAsync(answer);
  const place = `#conversations/${answer.threadId}`;
  await using visited = await sitDown(site, { place });
  const { page } = visited;
  const [reader, marked] = [readerOf(page), markedIn(page)];
  const article = page.getByRole("article", { name: en.desk.conversations.authorAi });

  await t.step("opens from the numbers in an answer, and goes from one source to the next", async () => {
    await article.getByRole("button", { name: fill(en.shared.source, { number: 1 }), exact: true }).click();
    await marked.waitFor();
    await reader.getByText(fill(en.reader.sourceOf, { number: 1, count: 2 })).waitFor();
    await reader.getByRole("button", { name: en.reader.nextSource }).click();
    await reader.getByText(fill(en.reader.sourceOf, { number: 2, count: 2 })).waitFor();
    await marked.waitFor();
    await page.keyboard.press("Escape");
    await reader.waitFor({ state: "detached" });
    await waitForHash(page, place);
    assertEquals(await article.getByRole("button", { name: whole(en.shared.source) }).count(), 2);
  });

  await t.step("opens from the list of an answer's sources; Back closes it, and the list stays open", async () => {
    await article.getByText(fill(en.desk.conversations.basedOn, { sources: plural(en.desk.conversations.passages, 2) }))
      .click();
    const button = article.locator("human-desk-passage", { hasText: "House.md" })
      .getByRole("button", { name: en.desk.parts.read });
    await button.click();
    await marked.getByText("helps you sleep at night").waitFor();
    assertEquals(hashOf(page), link);
    await page.goBack();
    await reader.waitFor({ state: "detached" });
    assertEquals(hashOf(page), place);
    assertEquals(await button.evaluate((it) => it.matches(":focus")), true);
    assertEquals(await article.locator("details").evaluate((it: HTMLDetailsElement) => it.open), true);
  });

  await t.step("opens where a question was tried, and where files were searched", async () => {
    for (const place of ["try?question=", "files?search="]) {
      await goTo(page, site, place + encodeURIComponent(question).replaceAll("%20", "+"));
      if (place.startsWith("try")) {
        await page.getByRole("button", { name: en.desk.try.send }).click();
        await page.getByText(en.desk.try.lookedUp).click();
      }
      const found = page.locator("human-desk-passage", { hasText: "House.md" }).filter({ hasText: "sleep at night" });
      await found.getByRole("button", { name: en.desk.parts.read }).click();
      await marked.getByText("helps you sleep at night").waitFor();
      await page.keyboard.press("Escape");
      await reader.waitFor({ state: "detached" });
      await found.waitFor();
    }
  });

  await t.step("opens from the sources and the numbers of a tested answer", async () => {
    const mine = clientOf(service, { ...tenant, accessToken: expert.accessToken });
    await mine.createTest(tenant.coachId, { question, expect: { outcome: "answered" } });
    service.model.script(tenant.modelName, { steps: [{ text: "Cold [1]." }] });
    const { id } = await runTests(service, { ...tenant, accessToken: expert.accessToken });
    await page.evaluate((hash) => location.hash = hash, `#tests/runs?run=${id}`);
    const result = page.locator("human-desk-test-result");
    await result.locator("summary").click();
    for (const name of [fill(en.shared.source, { number: 1 }), "House.md"]) {
      await result.getByRole("button", { name, exact: true }).click();
      await marked.waitFor();
      await page.keyboard.press("Escape");
      await reader.waitFor({ state: "detached" });
    }
  });
  assertEquals(visited.errors, []);
});

Deno.test("a link to a source at the desk", async (t) => {
  await using site = await openSite();
  const { tenant } = site;
  const { fileId, passageId } = await addBook(tenant);
  const link = linkTo(tenant, fileId, passageId);

  await t.step("is opened after signing in, above the first panel", async () => {
    await using visited = await visit(`${site.url}desk/${link}`);
    const { page } = visited;
    await page.getByRole("button", { name: en.shared.signIn }).click();
    await markedIn(page).waitFor();
    await page.keyboard.press("Escape");
    await readerOf(page).waitFor({ state: "detached" });
    await page.getByRole("heading", { name: en.desk.overview.title }).waitFor();
    await waitForHash(page, "");
    assertEquals(visited.errors, []);
  });

  await t.step("to what is not there says so, and the panel stays", async () => {
    await using visited = await sitDown(site, { place: "#answers" });
    const { page } = visited;
    await page.evaluate((hash) => location.hash = hash, linkTo(tenant, crypto.randomUUID(), passageId));
    await readerOf(page).getByText(en.reader.fileGone).waitFor();
    await page.keyboard.press("Escape");
    await waitForHash(page, "#answers");
    assertEquals(await page.getByRole("link", { name: en.desk.frame.answers }).getAttribute("aria-current"), "page");
  });

  for (const look of onceARun(looks, { salt: "the reader at the desk" })) {
    await t.step(`axe finds nothing serious at ${look.name}`, async () => {
      await using visited = await sitDown(site, { place: link, ...look.options });
      await markedIn(visited.page).waitFor();
      assertEquals(await findBarriers(visited.page), []);
    });
  }
});
