/// <reference lib="dom" />
import { assertEquals } from "../support/assert.ts";
import { ask, assertReply } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { createCoach, issueKey, operator } from "../support/project.ts";
import { button, endedAnswers, say, script } from "./chat.ts";
import { embed } from "./embed.ts";
import { openSite, visit } from "./site.ts";
import { en, plural } from "./texts.ts";

Deno.test("what the visitor has not read on the chat page", async (t) => {
  await using site = await openSite();
  const { tenant, service, expert } = site;
  await using visitor = await visit(site.url);
  const { page } = visitor;
  await page.clock.install();
  const threadId = () => new URL(page.url()).hash.slice(1);
  const write = async (id: string, content: string) => {
    const credentials = { apiKey: tenant.apiKey, accessToken: expert.accessToken };
    assertReply(await ask(service, "POST", `/threads/${id}/messages`, credentials, { content }), 200);
  };
  const unreadOf = async (id: string) => (await ask(service, "GET", `/threads/${id}`, tenant)).json.unread;
  const row = page.locator("human-chat-thread").filter({ hasText: "First question" });
  const icon = () => page.locator("link[rel=icon]").getAttribute("href");
  const titled = (title: string) => page.waitForFunction((title) => document.title === title, title);

  script(site, "First answer.", "Second answer.");
  await say(page, "First question");
  await endedAnswers(page).getByText("First answer.").waitFor();
  const first = threadId();
  await button(page.locator("human-chat-side"), en.chat.newChat).click();
  await say(page, "Second question");
  await endedAnswers(page).getByText("Second answer.").waitFor();

  await t.step("is marked in the list, the title and the icon, without being looked for", async () => {
    assertEquals([await page.title(), await row.locator(".unread").count()], ["Ada Byron", 0]);
    await write(first, "I have thought about it.");
    await page.clock.fastForward(120_000);
    await row.getByText(plural(en.chat.unread, 1)).waitFor();
    await titled("(1) Ada Byron");
    const response = await fetch(new URL((await icon())!, site.url));
    assertEquals([await icon(), response.headers.get("Content-Type")], ["icon-unread.svg", "image/svg+xml"]);
    await response.body?.cancel();
    await page.reload();
    await row.getByText(plural(en.chat.unread, 1)).waitFor();
  });

  await t.step("is read when its chat is opened", async () => {
    await button(row, "First question").click();
    await endedAnswers(page).getByText("I have thought about it.").waitFor();
    await titled("Ada Byron");
    assertEquals(new URL((await icon())!, site.url).href, `${site.url}icon.svg`);
    await row.locator(".unread").waitFor({ state: "detached" });
    await eventually(async () => await unreadOf(first) === 0, "it is read");
    await page.reload();
    await endedAnswers(page).getByText("I have thought about it.").waitFor();
    assertEquals([await page.title(), await page.locator(".unread").count()], ["Ada Byron", 0]);
  });

  await t.step("is read at once where somebody looks, and not before where nobody does", async () => {
    await write(first, "One more thing.");
    await endedAnswers(page).getByText("One more thing.").waitFor();
    await eventually(async () => await unreadOf(first) === 0, "it is read");
    const look = (isHidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, isHidden);
    await look(true);
    await write(first, "Are you there?");
    await page.clock.fastForward(120_000);
    await titled("(1) Ada Byron");
    assertEquals(await unreadOf(first), 1);
    await look(false);
    await endedAnswers(page).getByText("Are you there?").waitFor();
    await titled("Ada Byron");
    await eventually(async () => await unreadOf(first) === 0, "it is read");
    assertEquals(visitor.errors, []);
  });
});

Deno.test("what the visitor has not read of another coach", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const other = await createCoach(tenant.accountId, { name: "Mary Somerville", model: crypto.randomUUID() });
  await using embedded = await embed(site, "<human-chat {{settings}}></human-chat>");
  await using visitor = await visit(embedded.url);
  const { page } = visitor;
  await page.clock.install();
  const change = button(page, en.chat.changeCoach);
  const choice = (name: string) => page.locator(".choices button").filter({ hasText: name });

  service.model.script(other.model!, { steps: [{ text: "From Mary." }] });
  await choice("Mary Somerville").click();
  await say(page, "Who are you?");
  await endedAnswers(page).getByText("From Mary.").waitFor();
  const { data: thread } = await operator.from("threads").select("id, user_id").eq("coach_id", other.id).single()
    .throwOnError();
  await change.click();
  await choice("Ada Byron").click();
  await page.getByText("Hello, I am Ada.").waitFor();

  await t.step("is marked where another one is chosen, without being looked for", async () => {
    assertEquals(await page.locator(".unread").count(), 0);
    const key = await issueKey(tenant.accountId, { scopes: ["expert"] });
    assertReply(await ask(service, "POST", `/threads/${thread.id}/messages`, key, { content: "In person." }), 200);
    await page.clock.fastForward(120_000);
    await page.locator(".change").getByText(plural(en.chat.unread, 1)).waitFor();
    await page.reload();
    await page.locator(".change").getByText(plural(en.chat.unread, 1)).waitFor();
    await page.locator(".change").click();
    await choice("Mary Somerville").getByText(plural(en.chat.unread, 1)).waitFor();
    assertEquals(await choice("Ada Byron").locator(".unread").count(), 0);
  });

  await t.step("is marked no more once it is read", async () => {
    await choice("Mary Somerville").click();
    await button(page.locator("human-chat-thread"), "Who are you?").click();
    await endedAnswers(page).getByText("In person.").waitFor();
    await page.locator(".unread").waitFor({ state: "detached" });
    await change.click();
    await choice("Mary Somerville").waitFor();
    await choice("Mary Somerville").locator(".unread").waitFor({ state: "detached" });
    assertEquals(visitor.errors, []);
  });
});
