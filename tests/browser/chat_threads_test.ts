import type { Locator, Page, Request } from "playwright-core";
import { assertEquals } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { operator } from "../support/project.ts";
import { answers, button, composer, endedAnswers, questions, say, script } from "./chat.ts";
import { openSite, visit } from "./site.ts";
import { en, fill } from "./texts.ts";

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const site = stack.use(await openSite());
  const { tenant } = site;
  const visitor = stack.use(await visit(site.url));
  const { page } = visitor;
  visitor.context.setDefaultTimeout(10_000);
  const titles = (place: Page | Locator = page) => place.locator("human-chat-thread .title bdi").allInnerTexts();
  const row = (title: string) => page.locator("human-chat-thread").filter({ hasText: title });
  const choose = async (title: string, action: string) => {
    await button(row(title), fill(en.chat.more, { title })).click();
    await button(row(title), action).click();
  };
  const waitForTitles = async (...expected: string[]) => {
    await page.locator("human-chat-thread").nth(expected.length - 1).waitFor();
    for (let tries = 0; tries < 50 && (await titles()).join() !== expected.join(); tries++) {
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    assertEquals(await titles(), expected);
  };
  script(site, "Yes.");
  return handOver(stack, { site, tenant, visitor, page, titles, row, choose, waitForTitles });
}

/** The requests that it costs to open a thread. */
async function countRequests(t: Deno.TestContext, prepared: Awaited<ReturnType<typeof prepare>>): Promise<void> {
  const { page, row } = prepared;

  await t.step("opening one of the list costs two requests", async () => {
    const paths: string[] = [];
    const count = (request: Request) => /functions/.test(request.url()) && paths.push(new URL(request.url()).pathname);
    page.on("request", count);
    const watched = page.waitForResponse(/events$/);
    await button(row("Plums"), "Plums").click();
    await endedAnswers(page).waitFor();
    await watched;
    const thread = `/functions/v1/threads/${new URL(page.url()).hash.slice(1)}`;
    assertEquals(paths.toSorted(), [`${thread}/events`, `${thread}/messages`]);

    // By its address, too: the list has what is needed before the thread is watched.
    paths.length = 0;
    const watchedAgain = page.waitForResponse(/events$/);
    await page.reload();
    await endedAnswers(page).waitFor();
    await watchedAgain;
    const ofThread = paths.filter((path) => path.startsWith(thread));
    assertEquals(ofThread.toSorted(), [`${thread}/events`, `${thread}/messages`]);
    page.off("request", count);
    await button(row("Pears"), "Pears").click();
    await questions(page).getByText("Pears").waitFor();
  });
}

/** Threads that another tab or another visitor changes, and many of them. */
async function tellOfOthers(t: Deno.TestContext, prepared: Awaited<ReturnType<typeof prepare>>): Promise<void> {
  const { site, tenant, visitor, page, titles, row, waitForTitles } = prepared;

  await t.step("what another tab does is seen when this one is looked at again", async () => {
    const second = await visitor.context.newPage();
    await second.goto(site.url);
    await second.locator("human-chat-thread", { hasText: "Plums" }).waitFor();
    await say(second, "Grapes");
    await endedAnswers(second).waitFor();
    await second.close();
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    await waitForTitles("Grapes", "Plums", "Cherries");
  });

  await t.step("a thread that is gone says so, and does not come back with the next message", async () => {
    await button(row("Grapes"), "Grapes").click();
    await endedAnswers(page).waitFor();
    await operator.from("threads").delete().eq("coach_id", tenant.coachId).eq("title", "Grapes").throwOnError();
    // The page does not know it yet.
    const reading = new RegExp(`/threads/${new URL(page.url()).hash.slice(1)}`);
    await page.route(reading, (route) => route.fulfill({ status: 404, json: { error: "Nothing" } }));
    await say(page, "Hello?");
    await page.getByText(`${en.chat.notSent} ${en.chat.threadNotFound}`).waitFor();
    await page.unroute(reading);
    await page.reload();
    await page.getByText(en.chat.threadNotFound).waitFor();
    await button(page.locator(".middle"), en.chat.newChat).click();
    await page.getByText("Hello, I am Ada.").waitFor();
    const { count } = await operator.from("threads").select("id", { count: "exact" }).eq("coach_id", tenant.coachId)
      .throwOnError();
    assertEquals(count, 2);
  });

  await t.step("another visitor sees nothing of it, even with the address", async () => {
    await button(row("Plums"), "Plums").click();
    await questions(page).getByText("Plums").waitFor();
    await using other = await visit(page.url());
    await other.page.getByText(en.chat.threadNotFound).waitFor();
    assertEquals(await titles(other.page), []);
    assertEquals(await answers(other.page).count(), 0);
  });

  await t.step("of many threads, and of a long one, more is shown on demand", async () => {
    const { data } = await operator.from("threads").select("id, account_id, user_id").eq("coach_id", tenant.coachId)
      .eq("title", "Plums").single().throwOnError();
    const { id: thread_id, account_id, user_id } = data;
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    await operator.from("threads").insert(
      Array.from({ length: 40 }, (_, number) => ({
        account_id,
        user_id,
        coach_id: tenant.coachId,
        title: `Old ${number}`,
        updated_at: at(1_000 + number),
      })),
    ).throwOnError();
    await operator.from("messages").insert(
      Array.from({ length: 120 }, (_, number) => ({
        thread_id,
        role: number % 2 ? "assistant" : "user",
        content: `Said ${number}`,
        created_at: at(500 - number),
        status: "complete",
      })),
    ).throwOnError();
    await page.reload();
    await button(page, en.chat.showMore).click();
    await row("Old 39").waitFor();
    assertEquals(await button(page, en.chat.showMore).count(), 0);
    await page.getByText("Said 119").waitFor();
    assertEquals(await page.getByText("Said 60", { exact: true }).count(), 0);
    const first = page.getByText(/^Said \d+$/).first();
    const words = await first.innerText();
    await page.getByRole("log").evaluate((log) => log.scrollTop = 0);
    await button(page, en.chat.newest).waitFor();
    assertEquals(await page.getByRole("log").evaluate((log) => log.scrollTop), 0);
    const before = await page.getByText(words, { exact: true }).boundingBox();
    await button(page, en.chat.showEarlier).click();
    await page.getByText("Said 30", { exact: true }).waitFor();
    // What was read has stayed where it was.
    const after = await page.getByText(words, { exact: true }).boundingBox();
    assertEquals(Math.abs(after!.y - before!.y) < 2, true, `${before!.y} and ${after!.y}`);
    await button(page, en.chat.showEarlier).click();
    await page.getByText("Said 0", { exact: true }).waitFor();
    assertEquals(await button(page, en.chat.showEarlier).count(), 0);
    assertEquals(await page.getByText(/^Said \d+$/).count(), 120);
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visitor.errors, []));
}

Deno.test("the threads beside the chat", async (t) => {
  await using prepared = await prepare();
  const { tenant, page, titles, row, choose, waitForTitles } = prepared;

  await t.step("a first visitor is told where they will be", async () => {
    await page.getByText(en.chat.noChats).waitFor();
  });

  await t.step("each new chat is a thread, the newest above, and has an address", async () => {
    for (const text of ["Apples", "Pears", "Plums"]) {
      await button(page, en.chat.newChat).click();
      assertEquals(new URL(page.url()).hash, "");
      await say(page, text);
      await endedAnswers(page).waitFor();
    }
    await waitForTitles("Plums", "Pears", "Apples");
    await button(row("Pears"), "Pears").click();
    await questions(page).getByText("Pears").waitFor();
    assertEquals(await page.locator("[aria-current=true]").innerText(), "Pears");
    assertEquals(await composer(page).evaluate((it) => it.matches(":focus")), true);
  });

  await t.step("going back opens what was open before, and a reload what is", async () => {
    await page.goBack();
    await questions(page).getByText("Plums").waitFor();
    await page.goForward();
    await questions(page).getByText("Pears").waitFor();
    await page.reload();
    await questions(page).getByText("Pears").waitFor();
  });

  await t.step("each thread keeps its own draft", async () => {
    await composer(page).fill("about pears");
    await button(row("Plums"), "Plums").click();
    await questions(page).getByText("Plums").waitFor();
    assertEquals(await composer(page).inputValue(), "");
    await button(row("Pears"), "Pears").click();
    await questions(page).getByText("Pears").waitFor();
    assertEquals(await composer(page).inputValue(), "about pears");
  });

  await t.step("a thread is renamed in its place; Escape keeps the name", async () => {
    await choose("Apples", en.chat.rename);
    await page.getByRole("textbox", { name: en.chat.rename }).fill("Oranges");
    await page.keyboard.press("Escape");
    await row("Apples").waitFor();
    await choose("Apples", en.chat.rename);
    await page.getByRole("textbox", { name: en.chat.rename }).fill("Cherries");
    await page.keyboard.press("Enter");
    await waitForTitles("Plums", "Pears", "Cherries");
    await page.reload();
    await waitForTitles("Plums", "Pears", "Cherries");
  });

  await t.step("a pinned thread stands above the others", async () => {
    await choose("Cherries", en.chat.pin);
    await waitForTitles("Cherries", "Plums", "Pears");
    await page.getByRole("heading", { name: en.chat.pinned }).waitFor();
    await choose("Cherries", en.chat.unpin);
    await waitForTitles("Plums", "Pears", "Cherries");
  });

  await countRequests(t, prepared);

  await t.step("each has its time, or the day of an earlier one", async () => {
    const time = row("Plums").locator("time");
    assertEquals(/^\d{1,2}:\d{2}/.test(await time.innerText()), true, await time.innerText());
    const { data: { id, updated_at } } = await operator.from("threads").select("id, updated_at")
      .eq("coach_id", tenant.coachId).eq("title", "Plums").single().throwOnError();
    const changeTo = async (updated_at: string) => {
      await operator.from("threads").update({ updated_at }).eq("id", id).throwOnError();
      await page.evaluate(() => dispatchEvent(new Event("focus")));
    };
    await changeTo("2020-03-04T12:00:00Z");
    await time.getByText("Mar 4, 2020").waitFor();
    // A message to it is of today.
    await button(row("Plums"), "Plums").click();
    await questions(page).getByText("Plums").waitFor();
    await say(page, "Buy **fruit**, see [the market](https://a.test)");
    await endedAnswers(page).nth(1).waitFor();
    await time.getByText("Mar 4, 2020").waitFor({ state: "detached" });
    await changeTo(updated_at);
    await button(row("Pears"), "Pears").click();
  });

  await t.step("a search finds archived threads, too", async () => {
    await choose("Plums", en.chat.archive);
    await row("Plums").waitFor({ state: "detached" });
    const search = page.getByRole("searchbox");
    await search.fill("plums");
    await row("Plums").waitFor();
    await search.fill("");
    await row("Plums").waitFor({ state: "detached" });
    await button(page, en.chat.archived).click();
    await choose("Plums", en.chat.unarchive);
    await button(page, en.chat.backToChats).click();
    await row("Plums").waitFor();
  });

  await t.step("an archived thread is elsewhere, and comes back", async () => {
    await choose("Plums", en.chat.archive);
    await waitForTitles("Pears", "Cherries");
    await button(page, en.chat.archived).click();
    await waitForTitles("Plums");
    await choose("Plums", en.chat.unarchive);
    await page.getByText(en.chat.noArchived).waitFor();
    await button(page, en.chat.backToChats).click();
    await waitForTitles("Plums", "Pears", "Cherries");
  });

  await t.step("a search finds what was said, and shows it", async () => {
    await page.getByRole("searchbox", { name: en.chat.search }).fill("apple");
    await waitForTitles("Cherries");
    assertEquals(await row("Cherries").locator(".excerpt").innerText(), "Apples");
    assertEquals(await row("Cherries").locator("mark").allInnerTexts(), ["Apples"]);
    await page.getByRole("searchbox", { name: en.chat.search }).fill("cherry");
    await row("Cherries").locator("bdi mark").waitFor();
    assertEquals(await row("Cherries").locator(".excerpt").count(), 0, "the title shows it already");
    await page.getByRole("searchbox", { name: en.chat.search }).fill("market");
    await waitForTitles("Plums");
    assertEquals(await row("Plums").locator(".excerpt").innerText(), "fruit, see the market", "without marks");
    await page.getByRole("searchbox", { name: en.chat.search }).fill("xylophone");
    await page.getByText(en.chat.noMatches).waitFor();
    await page.getByRole("searchbox", { name: en.chat.search }).fill("");
    await waitForTitles("Plums", "Pears", "Cherries");
  });

  await t.step("a thread is deleted once that is confirmed, and what is open is a new chat", async () => {
    await choose("Pears", en.chat.delete);
    await button(page.getByRole("dialog"), en.shared.cancel).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assertEquals(await titles(), ["Plums", "Pears", "Cherries"]);
    await choose("Pears", en.chat.delete);
    await button(page.getByRole("dialog"), en.chat.delete).click();
    await waitForTitles("Plums", "Cherries");
    await page.getByText("Hello, I am Ada.").waitFor();
    assertEquals(new URL(page.url()).hash, "");
    const { data } = await operator.from("threads").select("title").eq("coach_id", tenant.coachId).order("title")
      .throwOnError();
    assertEquals(data, [{ title: "Cherries" }, { title: "Plums" }]);
  });

  await tellOfOthers(t, prepared);
});
