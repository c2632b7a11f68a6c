import { assertEquals } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { addFile } from "../support/knowledge.ts";
import { operator } from "../support/project.ts";
import { answers, button, composer, endedAnswers, interrupted, questions, say, script } from "./chat.ts";
import { openSite, visit } from "./site.ts";
import { en, fill, plural, whole } from "./texts.ts";

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const site = stack.use(await openSite());
  const { tenant, service } = site;
  await addFile(tenant, "Sleep.pdf", { content: "A *cold* room helps you sleep.", page: 3, heading: "The bedroom" });
  const visitor = stack.use(await visit(site.url, { permissions: ["clipboard-read", "clipboard-write"] }));
  const { page } = visitor;
  return handOver(stack, { site, tenant, service, visitor, page });
}

/** Questions that are edited, and answers that are copied and rated. */
async function editCopyAndRate(t: Deno.TestContext, prepared: Awaited<ReturnType<typeof prepare>>): Promise<void> {
  const { site, tenant, visitor, page } = prepared;

  await t.step("a question is edited: it takes the place of the old one and of all after it", async () => {
    script(site, "A machine.");
    await questions(page).nth(1).hover();
    await button(page.locator("article.question").nth(1), en.chat.edit).click();
    await page.getByRole("textbox", { name: en.chat.edit }).fill("What is an engine?");
    await page.keyboard.press("Enter");
    await endedAnswers(page).getByText("A machine.").waitFor();
    assertEquals(await questions(page).allTextContents(), ["How do I sleep well?", "What is an engine?"]);
    await page.reload();
    await endedAnswers(page).getByText("A machine.").waitFor();
    assertEquals(await questions(page).allTextContents(), ["How do I sleep well?", "What is an engine?"]);
  });

  await t.step("an edited question is not sent while an answer is written, and is kept", async () => {
    const { steps, goOn } = interrupted("Steam", " and coal.");
    script(site, steps);
    await button(page.locator("article.question").last(), en.chat.edit).click();
    const field = page.getByRole("textbox", { name: en.chat.edit });
    await field.fill("What is a mill?");
    await say(page, "What does it need?");
    await page.getByText("Steam", { exact: true }).waitFor();
    await field.press("Enter");
    goOn();
    await endedAnswers(page).getByText("Steam and coal.").waitFor();
    assertEquals(await field.inputValue(), "What is a mill?");
    assertEquals(await questions(page).last().textContent(), "What does it need?");
    await field.press("Escape");
  });

  await t.step("an answer is copied as it was written", async () => {
    await button(answers(page).first(), en.chat.copy).click();
    await button(answers(page).first(), en.chat.copied).waitFor();
    assertEquals(
      await page.evaluate(() => navigator.clipboard.readText()),
      "Keep it **cold** [1] and\n\n- dark\n- quiet\n\n[1]: Sleep.pdf",
    );
  });

  await t.step("thumbs, with a comment after one down, and back", async () => {
    const last = answers(page).last();
    const stored = async () =>
      (await operator.from("feedback").select("rating, comment").eq("coach_id", tenant.coachId).throwOnError()).data;
    await button(last, en.chat.good).click();
    await last.locator(`[aria-pressed=true][aria-label='${en.chat.good}']`).waitFor();
    await button(last, en.chat.poor).click();
    await page.getByRole("textbox", { name: en.chat.comment }).fill("Too short");
    await button(page, en.chat.sendComment).click();
    await page.getByRole("textbox", { name: en.chat.comment }).waitFor({ state: "detached" });
    assertEquals(await stored(), [{ rating: "down", comment: "Too short" }]);
    await page.reload();
    await button(last, whole(en.chat.askInPerson)).waitFor();
    await last.locator(`[aria-pressed=true][aria-label='${en.chat.poor}']`).click();
    await last.locator(`[aria-pressed=false][aria-label='${en.chat.poor}']`).waitFor();
    await button(last, whole(en.chat.askInPerson)).waitFor({ state: "detached" });
    assertEquals(await stored(), []);
  });

  await t.step("who reads further up is left there, and can jump to the newest message", async () => {
    const { steps, goOn } = interrupted("Line\n\n".repeat(60), "The end.");
    script(site, steps);
    await say(page, "Tell me everything");
    const log = page.getByRole("log");
    await answers(page).last().getByText("Line").nth(59).waitFor();
    await page.waitForFunction(isAtEnd);
    await log.hover();
    await page.mouse.wheel(0, -1_500);
    await button(page, en.chat.newest).waitFor();
    const top = await log.evaluate((it) => it.scrollTop);
    goOn();
    await endedAnswers(page).getByText("The end.").waitFor();
    assertEquals(await log.evaluate((it) => it.scrollTop), top);
    await button(page, en.chat.newest).click();
    await page.waitForFunction(isAtEnd);
    await button(page, en.chat.newest).waitFor({ state: "hidden" });
  });

  await t.step("a message that is too long is not sent, and says how much", async () => {
    await composer(page).fill("😀".repeat(32_001));
    await page.getByText(plural(en.chat.messageTooLong, 1)).waitFor();
    assertEquals(await button(page, en.chat.send).isDisabled(), true);
    await composer(page).fill("");
  });

  await t.step("nothing went wrong, and nobody was asked but the service", () => {
    assertEquals(visitor.errors, []);
    assertEquals([...visitor.origins], [new URL(site.url).origin]);
  });
}

Deno.test("a conversation on the chat page", async (t) => {
  await using prepared = await prepare();
  const { site, tenant, service, page } = prepared;

  await t.step(
    "a first visit shows who it is, that it is an AI, the greeting and questions to begin with",
    async () => {
      await page.getByText("Hello, I am Ada.").waitFor();
      assertEquals(await page.title(), "Ada Byron");
      assertEquals(await page.locator("header .badge").innerText(), en.chat.ai);
      assertEquals(await page.locator(".choices button").allTextContents(), [
        "How do I sleep well?",
        "What is an engine?",
      ]);
      assertEquals(new URL(page.url()).hash, "");
    },
  );

  await t.step("an answer streams as Markdown, and a reload in the middle of it goes on with it", async () => {
    // Some models add a list of sources, whatever they are told. Markdown takes it for the addresses of links.
    const rest = " [1] and\n\n- dark\n- quiet\n\n[1]: Sleep.pdf";
    const { steps, goOn } = interrupted("Keep it **cold**", rest);
    script(site, steps);
    // Twice, before anything else can happen: it is asked once.
    await button(page, "How do I sleep well?").evaluate((starter: HTMLElement) => (starter.click(), starter.click()));
    await page.locator("article.answer strong", { hasText: "cold" }).waitFor();
    await button(page, en.chat.stop).waitFor();
    await page.reload();
    await page.locator("article.answer strong", { hasText: "cold" }).waitFor();
    assertEquals(await answers(page).getAttribute("aria-busy"), "true");
    goOn();
    await endedAnswers(page).waitFor();
    assertEquals(await answers(page).locator("li", { hasText: /dark|quiet/ }).allInnerTexts(), ["dark", "quiet"]);
    assertEquals(await answers(page).locator(".badge").innerText(), en.chat.ai);
    assertEquals(await questions(page).allTextContents(), ["How do I sleep well?"]);
    assertEquals(service.model.requestsOf(tenant.modelName).length, 1);
  });

  await t.step("a finished answer is told to those who listen, once", async () => {
    const told = page.locator("human-chat-messages p[aria-live=polite]");
    await told.filter({ hasText: `Ada Byron, ${en.chat.ai}: Keep it cold` }).waitFor({ state: "attached" });
    assertEquals(await page.getByRole("log").getAttribute("aria-live"), "off");
  });

  await t.step(
    "a source opens its quote letter for letter, with file, heading and page; Escape leads back",
    async () => {
      const chip = button(answers(page), /Sleep\.pdf/);
      assertEquals((await chip.innerText()).split(/\s+/), [
        "1",
        "Sleep.pdf",
        ...fill(en.shared.page, { page: 3 }).split(" "),
      ]);
      await chip.press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.getByText("A *cold* room helps you sleep.", { exact: true }).waitFor();
      await dialog.getByRole("heading", { name: "Sleep.pdf" }).waitFor();
      await dialog.getByText(`The bedroom · ${fill(en.shared.page, { page: 3 })}`).waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      assertEquals(await chip.evaluate((it) => it.matches(":focus")), true);
    },
  );

  await t.step("the number in the text opens the source that has it, and only that", async () => {
    const number = button(answers(page).locator(".text"), fill(en.shared.source, { number: 1 }));
    assertEquals([await number.innerText(), await number.count()], ["1", 1]);
    await number.click();
    await page.getByRole("dialog").getByRole("heading", { name: "Sleep.pdf" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // No space is added around it.
    assertEquals(await answers(page).locator(".text p").first().textContent(), "Keep it cold 1 and");
  });

  await t.step("an answer is stopped with Escape, and written anew in its place", async () => {
    script(site, interrupted("Well, it depends", "").steps, "Because it is dark.");
    await say(page, "Why?");
    await page.getByText("Well, it depends").waitFor();
    await composer(page).press("Escape");
    await page.getByText(en.chat.answerStopped, { exact: true }).waitFor();
    assertEquals(await composer(page).evaluate((it) => it.matches(":focus")), true);
    const retries: string[] = [];
    page.on("request", (request) => request.method() === "POST" && retries.push(request.url()));
    await button(page, en.shared.retry).evaluate((again: HTMLElement) => (again.click(), again.click()));
    await endedAnswers(page).getByText("Because it is dark.").waitFor();
    assertEquals(retries.length, 1);
    assertEquals(await answers(page).getByText("Well, it depends").count(), 0);
    assertEquals(await answers(page).count(), 2);
  });

  await t.step("what is typed meanwhile is kept, also by a reload, and is not sent", async () => {
    const { steps, goOn } = interrupted("One", " two");
    script(site, steps);
    await say(page, "Count");
    await page.getByText("One", { exact: true }).waitFor();
    await composer(page).fill("And then?");
    await page.reload();
    await page.getByText("One", { exact: true }).waitFor();
    assertEquals(await composer(page).inputValue(), "And then?");
    goOn();
    await endedAnswers(page).getByText("One two").waitFor();
    assertEquals(await questions(page).last().textContent(), "Count");
    await composer(page).fill("");
  });

  await t.step("Shift and Enter make a new line, and so does Enter while a character is put together", async () => {
    const before = await questions(page).count();
    await composer(page).fill("First");
    await composer(page).press("Shift+Enter");
    await composer(page).pressSequentially("second");
    assertEquals(await composer(page).inputValue(), "First\nsecond");
    await composer(page).evaluate((field) =>
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true }))
    );
    assertEquals(await composer(page).inputValue(), "First\nsecond");
    assertEquals(await questions(page).count(), before);
    await composer(page).fill("");
  });

  await editCopyAndRate(t, prepared);
});

function isAtEnd(): boolean {
  const find = (root: ParentNode, selector: string): Element | null => {
    for (const element of root.querySelectorAll("*")) {
      if (element.matches(selector)) return element;
      const found = element.shadowRoot && find(element.shadowRoot, selector);
      if (found) return found;
    }
    return null;
  };
  const log = find(document, "[role=log]");
  return log !== null && log.scrollHeight - log.scrollTop - log.clientHeight < 2;
}
