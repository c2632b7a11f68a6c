/// <reference lib="dom" />
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { uploadAndIndex } from "../support/knowledge.ts";
import { operator } from "../support/project.ts";
import { answers, button, endedAnswers, say, script } from "./chat.ts";
import { addBook, bodyOf, hashOf, linkTo, makeManual, waitForHash } from "./reader.ts";
import { markedIn, readerOf } from "./reader_window.ts";
import { openSite, visit } from "./site.ts";
import { en, fill, part, whole } from "./texts.ts";
import { pinAnswer } from "../support/questions.ts";

Deno.test("the reader on the chat page", async (t) => {
  await using site = await openSite({ sources_are_open: true });
  const { tenant } = site;
  const { fileId, passageId } = await addBook(tenant);
  await using visitor = await visit(site.url);
  const { page } = visitor;
  const [reader, marked] = [readerOf(page), markedIn(page)];
  script(site, "Keep it cold [1].");
  await say(page, "How cold is a bedroom at night?");
  await endedAnswers(page).getByText("Keep it cold").waitFor();
  const threadHash = hashOf(page);
  const number = button(answers(page).locator(".text"), fill(en.shared.source, { number: 1 }));
  const link = linkTo(tenant, fileId, passageId);

  await t.step("opens from a number, at the marked passage of the file", async () => {
    await number.click();
    await marked.waitFor();
    assertEquals(await marked.locator("p").allInnerTexts(), [
      "Beds are wide. A cold bedroom helps you sleep at night.",
    ]);
    // The file is Markdown.
    assertEquals(await marked.locator("strong").innerText(), "cold");
    await reader.getByRole("heading", { name: "House.md" }).waitFor();
    await reader.locator(".head").getByText("The house > The bedroom", { exact: true }).waitFor();
    assertEquals(hashOf(page), link);
    const others = button(reader, en.reader.previousSource).or(button(reader, en.reader.nextSource));
    assertEquals(await others.count(), 0, "there is only one source");
  });

  await t.step("shows no text twice where passages overlap, and says where another part begins", async () => {
    assertEquals(await bodyOf(page).locator(".text, .where").allInnerTexts(), [
      "Doors are tall.",
      "Beds are wide. A cold bedroom helps you sleep at night.",
      "The house > The kitchen",
      "A kitchen has a stove.",
    ]);
  });

  await t.step("more of the file is shown on demand, and what is read keeps its place", async () => {
    for (let times = 0; times < 5; times++) {
      await button(reader, en.reader.moreAfter).click();
      await reader.locator(".more[aria-disabled=true]").first().waitFor({ state: "detached" });
    }
    // 20 on each side are enough.
    await button(reader, en.reader.moreAfter).waitFor({ state: "detached" });
    await bodyOf(page).evaluate((it) => it.scrollTop = 0);
    const top = async () => (await marked.boundingBox())!.y;
    const before = await top();
    await button(reader, en.reader.moreBefore).click();
    await bodyOf(page).getByText("The house has many rooms.").waitFor();
    await button(reader, en.reader.moreBefore).waitFor({ state: "detached" });
    const moved = await top() - before;
    assert(Math.abs(moved) < 2, `moved by ${moved}`);
    assertEquals(await bodyOf(page).locator(".text").count(), 4 + 1 + 20);
    assertEquals(await bodyOf(page).getByText("Beds are wide.").count(), 1);
  });

  await t.step("Back closes it, the focus returns, and Forward opens it again", async () => {
    await page.goBack();
    await reader.waitFor({ state: "detached" });
    assertEquals(hashOf(page), threadHash);
    assertEquals(await number.evaluate((it) => it.matches(":focus")), true);
    assertEquals(await answers(page).count(), 1, "the thread is still open");
    await page.goForward();
    await marked.waitFor();
  });

  await t.step("Escape, the button and a click beside it do what Back does", async () => {
    await page.keyboard.press("Escape");
    await reader.waitFor({ state: "detached" });
    await waitForHash(page, threadHash);
    await button(answers(page), /House\.md/).press("Enter");
    await marked.waitFor();
    await button(reader, en.shared.close).click();
    await reader.waitFor({ state: "detached" });
    await waitForHash(page, threadHash);
    await number.click();
    await marked.waitFor();
    await page.mouse.click(5, 5);
    await reader.waitFor({ state: "detached" });
    await waitForHash(page, threadHash);
  });

  await t.step("opened again before the browser has gone back, it stays open", async () => {
    await number.click();
    await marked.waitFor();
    await number.evaluate(async (it: HTMLElement) => {
      const [chat] = document.getElementsByTagName("human-chat");
      const dialog = chat!.shadowRoot!.querySelector("human-reader")!.shadowRoot!.querySelector("dialog")!;
      const isBack = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
      dialog.addEventListener("close", () => it.click(), { once: true });
      dialog.close();
      await isBack;
    });
    await marked.waitFor();
    assertEquals(hashOf(page), link);
    await page.goBack();
    await reader.waitFor({ state: "detached" });
    assertEquals(hashOf(page), threadHash);
  });

  await t.step("stays open after a reload, above its thread", async () => {
    await number.click();
    await marked.waitFor();
    await page.reload();
    await marked.waitFor();
    await page.keyboard.press("Escape");
    await waitForHash(page, threadHash);
    await endedAnswers(page).getByText("Keep it cold").waitFor();
  });

  await t.step("keeps the focus inside, where the keyboard scrolls", async () => {
    await number.press("Enter");
    await marked.waitFor();
    assertEquals(await bodyOf(page).evaluate((it) => it.matches(":focus")), true);
    const places = new Set<string>();
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press("Tab");
      places.add(
        await page.evaluate(() => {
          let it = document.activeElement;
          while (it?.shadowRoot?.activeElement) it = it.shadowRoot.activeElement;
          return it === document.body ? "the browser" : it?.closest("dialog") ? "the reader" : "the page";
        }),
      );
    }
    assert(places.has("the reader") && !places.has("the page"), [...places].join());
    await page.keyboard.press("Escape");
  });

  await t.step("a passage that the file has no more is said to be gone, and nothing is marked", async () => {
    await operator.from("passages").delete().eq("file_id", fileId).eq("position", 4).throwOnError();
    await number.click();
    await reader.getByRole("alert").getByText(en.reader.passageGone).waitFor();
    await reader.getByText(en.reader.drewOn).waitFor();
    assertMatch(await reader.locator("blockquote").innerText(), /A \*\*cold\*\* bedroom helps you sleep at night\.$/);
    assertEquals(await marked.count(), 0);
    await page.keyboard.press("Escape");
  });

  await t.step("and so is a file that was deleted", async () => {
    await operator.from("knowledge_files").delete().eq("id", fileId).throwOnError();
    await number.click();
    await reader.getByRole("alert").getByText(en.reader.fileGone).waitFor();
    assertEquals([await marked.count(), await button(reader, en.shared.retry).count()], [0, 0]);
  });
  assertEquals(visitor.errors, []);
});

Deno.test("the reader goes through the sources of an answer", async (t) => {
  await using site = await openSite({ sources_are_open: true });
  const { tenant, service } = site;
  const notes = "# Boilers\n\nA bedroom with a **boiler** is not cold.\n";
  await addBook(tenant);
  await uploadAndIndex(service, tenant, ["Engine.pdf", makeManual()], ["Notes.md", notes]);
  await pinAnswer(tenant, { question: "How many pistons does an engine in a bedroom have?", answer: "Not **one**." });
  await using visitor = await visit(site.url);
  const { page, context } = visitor;
  const [reader, marked] = [readerOf(page), markedIn(page)];
  script(site, "None [1], though [2][3][4][5][6][7].");
  await say(page, "Does a cold bedroom have an engine with pistons and boilers?");
  await endedAnswers(page).getByText("None").waitFor();
  const threadHash = hashOf(page);
  await button(answers(page), whole(en.chat.showAllSources.other)).click();
  const chips = answers(page).locator(".chip:not(.all)");
  const count = await chips.count();
  const step = (name: string) => button(reader, name);

  await t.step("from one to the next and back, in the order of the answer", async () => {
    assert(count >= 3, `${count} sources`);
    await chips.first().click();
    const seen: string[] = [];
    for (let place = 1;; place++) {
      await reader.getByText(fill(en.reader.sourceOf, { number: place, count })).waitFor();
      seen.push(await reader.getByRole("heading").innerText());
      assertEquals(await step("Previous source").getAttribute("aria-disabled"), String(place === 1));
      if (place === count) break;
      await step("Next source").click();
    }
    const named = await chips.evaluateAll((all) => all.map((chip) => chip.querySelector(".file")!.textContent));
    assertEquals(seen, named);
    // The button at the end keeps the focus, and does nothing.
    assertEquals(await step("Next source").evaluate((it) => it.matches(":focus")), true);
    await step("Next source").press("Enter");
    await reader.getByText(fill(en.reader.sourceOf, { number: count, count })).waitFor();
    await step("Previous source").click();
    await reader.getByText(fill(en.reader.sourceOf, { number: count - 1, count })).waitFor();
  });

  await t.step("the address follows, and one step back leaves them all", async () => {
    await page.goBack();
    await reader.waitFor({ state: "detached" });
    assertEquals(hashOf(page), threadHash);
  });

  await t.step("a pinned answer is shown with its question and its quote, and no file is read for it", async () => {
    await chips.filter({ hasText: part(en.shared.hasSaid) }).click();
    await reader.getByRole("heading", { name: fill(en.shared.hasSaid, { name: "Ada Byron" }) }).waitFor();
    await reader.getByText("How many pistons does an engine in a bedroom have?").waitFor();
    assertEquals(await reader.locator("blockquote").innerText(), "Not **one**.");
    assertEquals([hashOf(page), await reader.getByRole("link").count()], [threadHash, 0]);
    await page.goBack();
    await reader.waitFor({ state: "detached" });
    assertEquals(hashOf(page), threadHash);
    assertEquals(await chips.count(), count);
  });

  await t.step("a PDF opens at the page of the passage, in a tab of its own", async () => {
    await chips.filter({ hasText: "Engine.pdf" }).first().click();
    await marked.waitFor();
    const [, number] = part(en.shared.page, { page: /(\d)/ }).exec(await reader.locator(".head p").innerText())!;
    // A browser without a window would store a PDF instead of showing it.
    await context.route(
      "**/originals/*",
      (route) => route.fulfill({ contentType: "text/plain", body: "The original" }),
    );
    const tab = context.waitForEvent("page");
    await button(reader, fill(en.reader.openOriginalAt, { page: number! })).click();
    await (await tab).getByText("The original").waitFor();
    const address = new URL((await tab).url());
    assertMatch(address.pathname, /^\/functions\/v1\/knowledge-handler\/originals\/[\w.-]+$/);
    assertEquals(address.hash, `#page=${number}`);
    assertEquals(await (await tab).evaluate(() => opener), null);
    const original = await fetch(address);
    assertEquals(original.headers.get("Content-Type"), "application/pdf");
    assertEquals(await original.bytes(), makeManual());
    await (await tab).close();
    await context.unroute("**/originals/*");
    await marked.waitFor();
  });

  await t.step("if there is no address to open, the reader says why, and no tab stays open", async () => {
    await page.route("**/content?*", (route) => route.abort());
    const before = context.pages().length;
    await button(reader, whole(en.reader.openOriginalAt)).click();
    await reader.getByRole("alert").getByText(en.shared.unreachable).waitFor();
    assertEquals(context.pages().length, before);
    await page.unroute("**/content?*");
    await button(reader, whole(en.reader.openOriginalAt)).click();
    await reader.getByRole("alert").waitFor({ state: "detached" });
  });

  await t.step("any other file is stored by the browser, under its name", async () => {
    await page.keyboard.press("Escape");
    await chips.filter({ hasText: "Notes.md" }).first().click();
    await marked.waitFor();
    const download = page.waitForEvent("download");
    await button(reader, en.shared.download).click();
    assertEquals((await download).suggestedFilename(), "Notes.md");
    assertEquals(await Deno.readTextFile(await (await download).path()), notes);
    assertEquals(await marked.count(), 1);
  });
});
