import type { Page } from "playwright-core";
import { assertEquals } from "../support/assert.ts";
import { createCoach } from "../support/project.ts";
import { answers, button, endedAnswers, questions, say, script, watchRequests } from "./chat.ts";
import { openSite, visit } from "./site.ts";
import { en } from "./texts.ts";

/** Counts the events of threads that the page receives. Runs in the page. */
function countEvents(): void {
  const { fetch } = globalThis;
  let seen = "";
  const noting = async (...asked: Parameters<typeof fetch>) => {
    const reply = await fetch(...asked);
    if (!/\/events$/.test(new URL(reply.url).pathname) || !reply.body) return reply;
    const [read, counted] = reply.body.tee();
    const note = new WritableStream<string>({ write: (text) => void (seen += text) });
    counted.pipeThrough(new TextDecoderStream()).pipeTo(note).catch(() => {});
    return new Response(read, reply);
  };
  Object.assign(globalThis, { fetch: noting, countOf: (kind: string) => seen.split(`event: ${kind}\n`).length - 1 });
}

/** Waits until the page has received so many events of a kind, and has all happen that it does within a second of them. */
async function settle(page: Page, kind: string, count: number): Promise<void> {
  await page.waitForFunction(
    ([kind, count]) => (globalThis as unknown as { countOf(kind: string): number }).countOf(kind) >= count,
    [kind, count] as const,
  );
  await page.clock.runFor(1_000);
}

const events = "GET threads/*/events";
const list = "GET users/me/threads";
const messages = "GET threads/*/messages";
const completed = "message.completed";

for (
  const { title, hasCards, isChosen } of [
    { title: "a page with the card of its persona", hasCards: true, isChosen: false },
    { title: "a page without cards", hasCards: false, isChosen: false },
    { title: "a page of several personas", hasCards: false, isChosen: true },
  ]
) {
  Deno.test(`the requests of a visitor: ${title}`, async (t) => {
    await using site = await openSite({}, undefined, { hasCards, isChosen });
    if (isChosen) await createCoach(site.tenant.accountId, { name: "Charles Babbage" });
    await using visitor = await visit("about:blank");
    const { page } = visitor;
    const asked = watchRequests(page);
    await page.addInitScript(countEvents);
    await page.clock.install();

    await t.step("a first message is at most four, with all that the page has asked before", async () => {
      await page.goto(site.url);
      if (isChosen) await page.getByRole("button", { name: /Ada Byron/ }).click();
      script(site, "A machine.");
      await say(page, "What is an engine?");
      await endedAnswers(page).getByText("A machine.").waitFor();
      await page.locator("human-chat-thread", { hasText: "What is an engine?" }).waitFor();
      // Its own end may be before the first event.
      await settle(page, "watching", 1);
      assertEquals(asked.taken(), [events, list, "POST chat", "POST signup"]);
    });

    await t.step("a further message is one", async () => {
      script(site, "It moves.", "By steam.");
      await say(page, "What does it do?");
      await endedAnswers(page).getByText("It moves.").waitFor();
      await say(page, "How?");
      await endedAnswers(page).getByText("By steam.").waitFor();
      await settle(page, completed, 2);
      assertEquals(asked.taken(), ["POST chat", "POST chat"]);
    });

    await t.step("a question can be edited and an answer rated without reading the chats again", async () => {
      script(site, "By hand.");
      const last = page.locator("article.question").last();
      await last.hover();
      await button(last, en.chat.edit).click();
      await page.locator("#field").fill("How, exactly?");
      await page.keyboard.press("Enter");
      await endedAnswers(page).getByText("By hand.").waitFor();
      assertEquals(await questions(page).allInnerTexts(), ["What is an engine?", "What does it do?", "How, exactly?"]);
      await button(answers(page).last(), en.chat.good).click();
      await settle(page, "feedback.up", 1);
      // An event that comes before the reply of its own page has the thread read once more.
      const requests = asked.taken();
      assertEquals(requests.filter((request) => request !== messages), [
        "POST chat",
        "PUT threads/*/messages/*/feedback",
      ]);
      assertEquals(requests.length <= 3, true, requests.join());
    });

    await t.step("a reload is at most three", async () => {
      await page.reload();
      await endedAnswers(page).getByText("By hand.").waitFor();
      await page.locator("human-chat-thread", { hasText: "What is an engine?" }).waitFor();
      assertEquals(await questions(page).allInnerTexts(), ["What is an engine?", "What does it do?", "How, exactly?"]);
      await settle(page, "watching", 1);
      assertEquals(asked.taken(), [events, messages, list]);
    });

    await t.step("a second tab is in step with the first", async () => {
      const other = await visitor.context.newPage();
      await other.goto(page.url());
      await endedAnswers(other).getByText("By hand.").waitFor();
      script(site, "Two hands.");
      await say(other, "One?");
      await endedAnswers(other).getByText("Two hands.").waitFor();
      await endedAnswers(page).getByText("Two hands.").waitFor();
      assertEquals(await questions(page).count(), 4);
      script(site, "Three.");
      await say(page, "More?");
      await endedAnswers(page).getByText("Three.").waitFor();
      await endedAnswers(other).getByText("Three.").waitFor();
      assertEquals([await questions(page).count(), await questions(other).count()], [5, 5]);
    });
    assertEquals(visitor.errors, []);
  });
}
