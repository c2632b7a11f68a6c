import type { Page } from "playwright-core";
import { assertEquals } from "../support/assert.ts";
import { ask, assertReply, clientOf, type Credentials } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { operator } from "../support/project.ts";
import { answers, button, endedAnswers, interrupted, questions, say, script } from "./chat.ts";
import { sitDown } from "./desk.ts";
import { findBarriers } from "./find_barriers.ts";
import { openSite, visit } from "./site.ts";
import { en, fill, part, whole } from "./texts.ts";
import { pinAnswer } from "../support/questions.ts";

const pinnedAnswer = "Sixteen degrees, **never** less.";

Deno.test("each sees that the other is typing", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  script(site, "A model says so.");
  await clientOf(service, { ...tenant, accessToken: site.expert.accessToken })
    .saveExpertFace(tenant.coachId, { name: "Anna Berg" });
  await using visitor = await visit(site.url, { bypassCSP: true });
  const { page } = visitor;
  await say(page, "Are you there?");
  await endedAnswers(page).getByText("A model says so.").waitFor();
  const field = page.getByRole("textbox", { name: whole(en.chat.messageLabel) });
  const place = `#conversations/${new URL(page.url()).hash.slice(1)}`;
  await using desk = await sitDown(site, { place, bypassCSP: true });
  const told: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/typing")) told.push(request.method());
  });

  await t.step("nobody is told what is written to the AI", async () => {
    await field.pressSequentially("I wo");
    await page.getByRole("log").getByText("A model says so.").waitFor();
    assertEquals(told, []);
  });
  await t.step("once the expert answers, the desk shows it, and only as long as it is so", async () => {
    await desk.page.getByRole("button", { name: en.desk.conversations.takeOver }).click();
    await page.locator("human-chat-typing").waitFor({ state: "attached" });
    await page.waitForFunction(() => customElements.get("human-chat-typing") !== undefined);
    await field.pressSequentially("nder");
    await desk.page.getByRole("status").getByText(/is typing/).waitFor();
    assertEquals(await findBarriers(desk.page), []);
    assertEquals(told.length, 1);
    await field.press("Enter");
    await desk.page.getByRole("status").getByText(/is typing/).waitFor({ state: "detached" });
  });
  await t.step("and the chat shows the expert by their own name, until they have said it", async () => {
    await desk.page.getByRole("textbox", { name: en.desk.conversations.yourMessage }).pressSequentially("Here I am");
    await page.getByRole("status").getByText(fill(en.chat.typing, { name: "Anna Berg" })).waitFor();
    assertEquals(await findBarriers(page), []);
    await desk.page.keyboard.press("Enter");
    await answers(page).getByText("Here I am").waitFor();
    await page.getByText(fill(en.chat.typing, { name: "Anna Berg" })).waitFor({ state: "detached" });
    assertEquals([visitor.errors, desk.errors], [[], []]);
  });
  await t.step("a site without the script for it is not asked for it again and again", async () => {
    await using other = await visit(site.url);
    let requests = 0;
    await other.page.route("**/human-chat-in-person.js", (route) => {
      requests++;
      return route.fulfill({ status: 404 });
    });
    await say(other.page, "Is anybody there?");
    await endedAnswers(other.page).getByText("A model says so.").waitFor();
    const threadId = new URL(other.page.url()).hash.slice(1);
    const expert = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
    await expert.takeOver(threadId);
    await other.page.getByText(fill(en.chat.expertAnswers, { name: "Ada Byron" })).waitFor();
    for (const content of ["Yes.", "I am."]) {
      await expert.sayAsExpert(threadId, { content });
      await answers(other.page).getByText(content).waitFor();
    }
    assertEquals(requests, 1);
  });
});

Deno.test("the expert on the chat page", async (t) => {
  await using site = await openSite();
  const { tenant, service, expert: { accessToken } } = site;
  const expert: Credentials = { apiKey: tenant.apiKey, accessToken };
  await using visitor = await visit(site.url);
  const { page } = visitor;
  await page.addInitScript(keepWatch, {
    "Sixteen degrees": "pinned",
    "In person, yes": "expert",
    "Open the window": "expert",
    "Corrected": "expert",
  });
  await page.reload();
  const threadOf = (page: Page) => new URL(page.url()).hash.slice(1);
  const tell = (path: string, body?: unknown) =>
    ask(service, "POST", `/threads/${threadOf(page)}${path}`, expert, body);
  const badges = { ai: en.chat.ai, expert: en.chat.expert, pinned: fill(en.chat.ownWords, { name: "Ada Byron" }) };
  const isMarked = async (text: string, author: keyof typeof badges) => {
    // A correction quotes what it corrects.
    const answer = answers(page).filter({ has: page.locator(".text", { hasText: text }) });
    await answer.and(page.locator(`.${author}`)).waitFor();
    assertEquals(await answer.locator(".badge").innerText(), badges[author]);
  };
  script(site, "A model says so.");

  await t.step("what is pinned is shown as the person's own words, not as said in person", async () => {
    await pinAnswer(tenant, { question: "How cold may a bedroom get at night?", answer: pinnedAnswer });
    await say(page, "How warm is it?");
    await isMarked("A model says so.", "ai");
    await say(page, "how cold may a bedroom get at night");
    await isMarked("Sixteen degrees", "pinned");
    assertEquals(await page.locator("header .badge").innerText(), en.chat.ai);
    assertEquals(await answers(page).last().locator("strong").innerText(), "never");
    await button(page, part(fill(en.shared.hasSaid, { name: "Ada Byron" }))).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("How cold may a bedroom get at night?").waitFor();
    await dialog.getByText(pinnedAnswer, { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    // What the person has said is not written anew.
    assertEquals(await button(page, en.shared.retry).count(), 0);
  });

  await t.step("a takeover shows at once, and what is asked waits", async () => {
    assertReply(await tell("/takeover"), 200);
    await page.getByText(fill(en.chat.expertAnswers, { name: "Ada Byron" })).waitFor();
    assertEquals(await page.locator("header .badge").innerText(), en.chat.expert);
    await say(page, "Are you there?");
    await page.locator("article.answer.waiting").waitFor();
    assertEquals(await page.locator("article.answer.waiting .badge").count(), 0);
    await page.reload();
    await page.getByText(fill(en.chat.expertWaiting, { name: "Ada Byron" })).waitFor();
    await page.getByText(fill(en.chat.expertAnswers, { name: "Ada Byron" })).waitFor();
  });

  await t.step("the expert's message takes the place of what waits, in two tabs, and is told", async () => {
    const second = await visitor.context.newPage();
    await second.goto(page.url());
    await second.getByText(fill(en.chat.expertWaiting, { name: "Ada Byron" })).waitFor();
    await page.bringToFront();
    assertReply(await tell("/messages", { content: "In person, yes." }), 200);
    await isMarked("In person, yes.", "expert");
    await second.locator("article.answer.expert", { hasText: "In person, yes." }).waitFor();
    assertEquals(await page.locator("article.answer.waiting").count(), 0);
    const told = page.locator("human-chat-messages p[aria-live=polite]");
    assertEquals(await told.innerText(), "Ada Byron, In person: In person, yes.");
    await second.close();
  });

  await t.step("after the release the model answers what still waits, seen as it is written", async () => {
    await say(page, "And at noon?");
    await page.locator("article.answer.waiting").waitFor();
    const { steps, goOn } = interrupted("At noon", " it is warm.");
    script(site, steps, "A model says so.");
    assertReply(await tell("/release"), 200);
    await page.locator("article[aria-busy=true]", { hasText: "At noon" }).waitFor();
    assertEquals(await page.locator("header .badge").innerText(), en.chat.ai);
    goOn();
    await endedAnswers(page).getByText("At noon it is warm.").waitFor();
    await isMarked("At noon it is warm.", "ai");
  });

  await t.step("a takeover in the middle of an answer ends it, and keeps the two apart", async () => {
    const { steps } = interrupted("I would say", " never");
    script(site, steps, "A model says so.");
    await say(page, "What would you say?");
    await page.getByText("I would say").waitFor();
    // What has not been stored yet, once a second, would become what the expert says.
    await eventually(() => idOf("I would say").then(() => true), "the begin of the answer is stored");
    assertReply(await tell("/messages", { content: "Open the window." }), 200);
    await isMarked("Open the window.", "expert");
    await isMarked("I would say", "ai");
    assertReply(await tell("/release"), 200);
  });

  await t.step("a correction comes as a message of the person, without a reload", async () => {
    const id = await idOf("A model says so.");
    const body = { question: "How warm is it?", answer: "Corrected: quite warm.", notify: true };
    assertReply(await tell(`/messages/${id}/revise`, body), 200);
    await isMarked("Corrected: quite warm.", "expert");
    await isMarked("A model says so.", "ai");
    await page.reload();
    await isMarked("Corrected: quite warm.", "expert");
    await isMarked("Sixteen degrees", "pinned");
  });

  await t.step("a question that is asked in another tab appears, and its answer is written in both", async () => {
    const second = await visitor.context.newPage();
    await second.goto(page.url());
    await second.getByText("Corrected: quite warm.").waitFor();
    const { steps, goOn } = interrupted("In both", " tabs.");
    script(site, steps);
    await say(second, "Where do I read this?");
    await second.getByText("In both").waitFor();
    await page.bringToFront();
    await page.getByText("In both").waitFor();
    goOn();
    for (const tab of [page, second]) await endedAnswers(tab).getByText("In both tabs.").waitFor();
    assertEquals(await questions(page).last().textContent(), "Where do I read this?");
    await second.close();
  });

  await t.step("at no moment was the one shown as the other", async () => {
    assertEquals(await page.evaluate(() => (globalThis as unknown as { mistaken: string[] }).mistaken), []);
    assertEquals(visitor.errors, []);
  });

  async function idOf(content: string): Promise<string> {
    const { data } = await operator.from("messages").select("id").eq("thread_id", threadOf(page)).eq("content", content)
      .single().throwOnError();
    return data.id;
  }
});

/** Looks at every frame for words of the person that are shown as the model's, and the other way round. */
function keepWatch(ofPerson: Record<string, string>): void {
  const mistaken: string[] = [];
  Object.assign(globalThis, { mistaken });
  const look = (root: ParentNode) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) look(element.shadowRoot);
      if (!element.matches("article.answer")) continue;
      const text = element.textContent;
      const words = Object.keys(ofPerson).find((words) => text.includes(words));
      const author = words === undefined ? "ai" : ofPerson[words];
      if (element.matches(".ai, .expert, .pinned") && !element.matches(`.${author}`)) mistaken.push(text);
    }
  };
  const watch = () => {
    look(document);
    requestAnimationFrame(watch);
  };
  watch();
}
