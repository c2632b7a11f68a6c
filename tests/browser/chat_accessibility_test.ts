import { assertEquals } from "../support/assert.ts";
import { ask } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { addFile } from "../support/knowledge.ts";
import { onceARun } from "../support/slow.ts";
import { answers, button, endedAnswers, interrupted, say, script } from "./chat.ts";
import { findBarriers } from "./find_barriers.ts";
import { looks } from "./looks.ts";
import { openSite, visit } from "./site.ts";
import { en, fill, whole } from "./texts.ts";
import { pinAnswer } from "../support/questions.ts";

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const site = stack.use(await openSite());
  const { tenant, service, expert } = site;
  await addFile(tenant, "Sleep.pdf", { content: "A cold room helps you sleep.", page: 3, heading: "The bedroom" });
  await pinAnswer(tenant, { question: "How cold may a bedroom get at night?", answer: "Sixteen degrees." });
  const markdown =
    "# A heading\n\nWith **bold**, a [link](https://example.com) and `code`.\n\n> quoted\n\n1. one\n2. two" +
    "\n\n| a | b |\n|---|---|\n| c | d |\n\n```\nlong code\n```";
  return handOver(stack, { site, tenant, service, expert, markdown });
}

Deno.test("the chat page for everybody: axe", async (t) => {
  await using prepared = await prepare();
  const { site, tenant, service, expert, markdown } = prepared;

  for (const look of onceARun(looks, { salt: "the chat page" })) {
    await t.step(`axe finds nothing serious at ${look.name}`, async () => {
      await using visitor = await visit(site.url, look.options);
      const { page } = visitor;
      const check = async (screen: string) => assertEquals([screen, ...await findBarriers(page)], [screen]);
      await page.getByText("Hello, I am Ada.").waitFor();
      await check("the beginning");

      const { steps, goOn } = interrupted(markdown, "\n\nThe end. [1][2]");
      script(site, steps, "Short.");
      await say(page, "How do I sleep in a cold room?");
      await page.getByText("long code").waitFor();
      await check("an answer that is being written");
      goOn();
      await endedAnswers(page).getByText("The end.").waitFor();
      await say(page, "How cold may a bedroom get at night?");
      await endedAnswers(page).getByText("Sixteen degrees.").waitFor();
      await check("answers of both");
      await button(answers(page).first(), /Sleep\.pdf/).click();
      await page.getByRole("dialog").waitFor();
      await check("a source");
      await page.keyboard.press("Escape");
      await button(answers(page).first(), en.chat.poor).click();
      await page.getByRole("textbox", { name: en.chat.comment }).waitFor();
      await check("a comment");
      const threadId = new URL(page.url()).hash.slice(1);
      await ask(service, "POST", `/threads/${threadId}/takeover`, {
        apiKey: tenant.apiKey,
        accessToken: expert.accessToken,
      });
      await page.getByText(fill(en.chat.expertAnswers, { name: "Ada Byron" })).waitFor();
      await say(page, "Hello?");
      await page.locator("article.waiting").waitFor();
      await check("a takeover");
      if (look.width < 800) await button(page, en.chat.menu).click();
      await page.locator("human-chat-thread .more").click();
      await check("the menu of a thread");
      await button(page, en.chat.delete).click();
      await page.getByRole("dialog").waitFor();
      await check("a question before deleting");
      await page.keyboard.press("Escape");
      await button(page, en.shared.signIn).click();
      await page.getByRole("dialog").waitFor();
      await check("signing in");
      await page.keyboard.press("Escape");
      await button(page, en.chat.leaveVisit).click();
      await button(page.getByRole("dialog"), en.chat.leaveVisit).click();
      await page.getByText(en.chat.signedOut).waitFor();
      await check("signed out");
      assertEquals(await page.evaluate(() => document.documentElement.scrollWidth), look.width);
      assertEquals(visitor.errors, []);
    });
  }
});

Deno.test("the chat page for everybody: the keyboard alone", async (t) => {
  await using prepared = await prepare();
  const { site } = prepared;

  for (const width of onceARun([390, 1_400], { salt: "the keyboard" })) {
    await t.step(`everything can be done with the keyboard alone at ${width} px`, async () => {
      await using visitor = await visit(site.url, { viewport: { width, height: 844 } });
      const { page } = visitor;
      const focused = () =>
        page.evaluate(() => {
          let element = document.activeElement;
          while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
          return element?.getAttribute("aria-label") ?? element?.textContent?.trim().replace(/\s+/g, " ") ?? "";
        });
      /** Presses Tab until something has the focus. */
      const tabTo = async (name: string | RegExp, key = "Tab") => {
        const seen: string[] = [];
        for (let presses = 0; presses < 60; presses++) {
          await page.keyboard.press(key);
          const now = await focused();
          if (typeof name === "string" ? now === name : name.test(now)) return;
          seen.push(now);
        }
        throw new Error(`Nothing that can be reached is called ${name}: ${seen.join(" | ")}`);
      };
      await page.getByText("Hello, I am Ada.").waitFor();
      script(site, "Keep it cold. [1]", "Because.", "Fine.");

      await tabTo("How do I sleep well?");
      await page.keyboard.press("Enter");
      await endedAnswers(page).getByText("Keep it cold.").waitFor();
      assertEquals(await focused(), fill(en.chat.messageLabel, { name: "Ada Byron" }));
      await page.keyboard.type("Why?");
      await page.keyboard.press("Enter");
      await endedAnswers(page).getByText("Because.").waitFor();
      assertEquals(await focused(), fill(en.chat.messageLabel, { name: "Ada Byron" }));

      await tabTo(/Sleep\.pdf/, "Shift+Tab");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      assertEquals(/Sleep\.pdf/.test(await focused()), true);

      await tabTo(en.chat.poor);
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: en.chat.comment }).waitFor();
      await page.keyboard.type("Too short");
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: en.chat.comment }).waitFor({ state: "detached" });

      await tabTo(en.chat.edit, "Shift+Tab");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Control+A");
      await page.keyboard.type("Really?");
      await page.keyboard.press("Enter");
      await endedAnswers(page).getByText("Fine.").waitFor();

      const openMenu = async () => {
        if (width < 800) {
          await tabTo(en.chat.menu, "Shift+Tab");
          await page.keyboard.press("Enter");
          await page.locator("aside").waitFor();
          assertEquals(await focused(), en.chat.newChat);
        } else await tabTo(en.chat.newChat, "Shift+Tab");
      };
      await openMenu();
      await tabTo(whole(en.chat.more));
      await page.keyboard.press("Enter");
      await tabTo(en.chat.rename);
      await page.keyboard.press("Enter");
      await page.keyboard.type("My chat");
      await page.keyboard.press("Enter");
      await page.locator("human-chat-thread", { hasText: "My chat" }).waitFor();
      assertEquals(await focused(), "My chat");
      await tabTo(whole(en.chat.more));
      await page.keyboard.press("Enter");
      await tabTo(en.chat.delete);
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      assertEquals(await focused(), en.shared.cancel);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.getByText(en.chat.noChats).waitFor();
      assertEquals(await focused(), en.chat.newChat);
      if (width < 800) {
        await page.keyboard.press("Escape");
        await page.locator("aside").waitFor({ state: "hidden" });
        assertEquals(await focused(), en.chat.menu);
      }
      assertEquals(visitor.errors, []);
    });
  }
});
