import { assertEquals } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { operator } from "../support/project.ts";
import { answers, button, composer, endedAnswers, interrupted, questions, say, script } from "./chat.ts";
import { embed } from "./embed.ts";
import { openSite, visit } from "./site.ts";
import { en, fill, whole } from "./texts.ts";

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const site = stack.use(await openSite());
  const { tenant } = site;
  const visitor = stack.use(await visit(site.url));
  const { page, context } = visitor;
  context.setDefaultTimeout(5_000);
  const asked = async () =>
    (await operator.from("messages").select("content, threads!inner(coach_id)").eq("role", "user")
      .eq("threads.coach_id", tenant.coachId).order("sequence").throwOnError()).data.map(({ content }) => content);
  return handOver(stack, { site, tenant, page, context, asked });
}

/** Sessions that end or change, in this tab and in another. */
async function endSessions(t: Deno.TestContext, prepared: Awaited<ReturnType<typeof prepare>>): Promise<void> {
  const { site, page, context } = prepared;

  await t.step("a session that has ended: signed out, and a plain way to go on", async () => {
    await page.evaluate(() => {
      for (const [name, value] of Object.entries(localStorage)) {
        if (!name.startsWith("human-chat visitor")) continue;
        const past = { expiresAt: 1, renewAt: 1, refreshToken: "unknown" };
        localStorage.setItem(name, JSON.stringify({ ...JSON.parse(value), ...past }));
      }
    });
    await page.reload();
    await page.getByText(en.chat.signedOut).waitFor();
    await button(page, en.chat.goOnAsVisitor).click();
    await page.getByText("Hello, I am Ada.").waitFor();
    await page.getByText(en.chat.noChats).waitFor();
  });

  await t.step("signing in with an account, after a wrong password; signing out again", async () => {
    await page.getByText(en.chat.visitor).waitFor();
    await button(page, en.shared.signIn).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(en.chat.signInHint).waitFor();
    await dialog.getByLabel(en.shared.password).fill("wrong");
    await button(dialog, en.shared.signIn).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel(en.shared.password).fill(site.visitor.password);
    await button(dialog, en.shared.signIn).click();
    await page.getByText(fill(en.chat.signedInAs, { email: site.visitor.email })).waitFor();
    script(site, "Welcome.");
    await say(page, "It is me");
    await endedAnswers(page).getByText("Welcome.").waitFor();
    const address = page.url();
    await button(page, en.chat.leave).click();
    await page.getByText(en.chat.signedOut).waitFor();
    assertEquals(await page.getByText("Welcome.").count(), 0);

    // A link to a thread of the account leads there after signing in.
    await using other = await visit(address);
    await other.page.getByText(en.chat.threadNotFound).waitFor();
    await button(other.page.locator(".middle"), en.shared.signIn).click();
    await button(other.page.getByRole("dialog"), en.shared.signIn).click();
    await endedAnswers(other.page).getByText("Welcome.").waitFor();
  });

  await t.step("who is signed out in another tab is signed out here", async () => {
    await page.reload();
    await page.getByText("Hello, I am Ada.").waitFor();
    const second = await context.newPage();
    await second.goto(site.url);
    await button(second, en.chat.leaveVisit).click();
    await button(second.getByRole("dialog"), en.chat.leaveVisit).click();
    await second.getByText(en.chat.signedOut).waitFor();
    await second.getByText(en.chat.forgotten).waitFor();
    await page.getByText(en.chat.signedOut).waitFor();
    await second.close();
  });

  await t.step("who is signed in as somebody else in another tab is that here, too", async () => {
    await button(page, en.chat.goOnAsVisitor).click();
    script(site, "Only for you.");
    await say(page, "Who am I?");
    await endedAnswers(page).getByText("Only for you.").waitFor();
    const second = await context.newPage();
    await second.goto(site.url);
    await second.locator("human-chat-thread").waitFor();
    await button(second, en.shared.signIn).click();
    await button(second.getByRole("dialog"), en.shared.signIn).click();
    await second.getByText(site.visitor.email).waitFor();

    await page.getByText(site.visitor.email).waitFor();
    await page.locator("human-chat-thread", { hasText: "It is me" }).waitFor();
    assertEquals(await page.locator("human-chat-thread", { hasText: "Who am I?" }).count(), 0);
    assertEquals(await answers(page).count(), 0);
    await second.close();
  });
}

Deno.test("what goes wrong on the chat page", async (t) => {
  await using prepared = await prepare();
  const { site, page, context, asked } = prepared;

  await t.step(
    "offline: a banner says so, questions wait, and are sent in order and once when it is over",
    async () => {
      script(site, "Yes.");
      await say(page, "Online?");
      await endedAnswers(page).getByText("Yes.").waitFor();
      await context.setOffline(true);
      await page.locator(".banner", { hasText: en.chat.offline }).waitFor();
      await say(page, "And now?");
      await page.getByText(`${en.chat.queued} ${en.chat.offline}`).waitFor();
      await composer(page).fill("And then?");
      await button(page, en.chat.send).click();
      await page.getByText(en.chat.queued).nth(1).waitFor();

      assertEquals(await questions(page).allTextContents(), ["Online?", "And now?", "And then?"]);
      script(site, "Now.", "Then.");
      await context.setOffline(false);
      await page.locator(".banner").waitFor({ state: "detached" });
      await endedAnswers(page).getByText("Then.").waitFor();
      assertEquals(await answers(page).locator(".text").allInnerTexts(), ["Yes.", "Now.", "Then."]);
      assertEquals(await page.getByText(en.chat.queued).count(), 0);
      assertEquals(await asked(), ["Online?", "And now?", "And then?"]);
    },
  );

  await t.step("what waits comes back into the composer, and survives a reload", async () => {
    const functions = "**/functions/v1/**";
    await page.route(functions, (route) => route.abort());
    await say(page, "Lost?");
    await say(page, "Behind it?");
    await page.getByText(`${en.chat.queued} ${en.shared.unreachable}`).waitFor();
    await button(page, en.chat.editBack).first().click();
    assertEquals(await composer(page).inputValue(), "Lost?");
    await composer(page).fill("Found?");
    await composer(page).press("Enter");
    await questions(page).getByText("Found?").waitFor();
    assertEquals((await questions(page).allTextContents()).slice(3), ["Behind it?", "Found?"]);
    script(site, "Behind.", "Found.");
    await page.unroute(functions);
    await page.reload();
    await endedAnswers(page).getByText("Found.").waitFor();
    assertEquals((await asked()).slice(3), ["Behind it?", "Found?"]);
    assertEquals(await composer(page).inputValue(), "");
    await page.reload();
    await endedAnswers(page).getByText("Found.").waitFor();
    assertEquals(await page.getByText(en.chat.queued).count(), 0);
    assertEquals((await asked()).slice(3), ["Behind it?", "Found?"]);
  });

  await t.step("Enter while an answer is written: the question waits for its end, and can be taken back", async () => {
    const { steps, goOn } = interrupted("Half", " an hour.");
    script(site, steps, "A whole one.");
    await say(page, "How long?");
    await answers(page).getByText("Half", { exact: true }).waitFor();
    await say(page, "Never mind");
    await say(page, "And longer?");
    await page.getByText(en.chat.queued).nth(1).waitFor();
    await button(page, en.chat.stop).waitFor();
    await button(page, en.chat.editBack).first().click();
    assertEquals(await composer(page).inputValue(), "Never mind");
    await composer(page).fill("");
    await questions(page).getByText("Never mind").waitFor({ state: "detached" });
    assertEquals(await questions(page).last().textContent(), "And longer?");
    goOn();
    await endedAnswers(page).getByText("A whole one.").waitFor();
    await answers(page).getByText("Half an hour.").waitFor();
    assertEquals((await asked()).slice(-2), ["How long?", "And longer?"]);
  });

  await t.step("a reply that is lost on its way is not asked for twice", async () => {
    script(site, "Once.");
    const chat = "**/functions/v1/chat";
    const reading = "**/messages?*";
    await page.route(chat, async (route) => {
      await route.fetch();
      await route.abort();
    });
    // Until it is sent again, the page does not see that it has arrived.
    await page.route(reading, (route) => route.fulfill({ status: 404, json: { error: "Nothing" } }));
    await say(page, "Twice?");
    await page.getByText(en.chat.queued).waitFor();
    await page.unroute(chat);
    await answers(page).getByText("Once.").waitFor();
    await page.unroute(reading);
    assertEquals((await asked()).filter((text) => text === "Twice?"), ["Twice?"]);
    await page.reload();
    await endedAnswers(page).getByText("Once.").waitFor();

    // Where the page sees it, it is not offered to be sent again.
    await page.route(chat, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await say(page, "Thrice?");
    await endedAnswers(page).getByText("Once.").nth(1).waitFor();
    await page.getByText(en.chat.queued).waitFor({ state: "detached" });
    await page.unroute(chat);
    assertEquals(await questions(page).filter({ hasText: "Thrice?" }).count(), 1);
  });

  await t.step("a model that fails: what was said stays, and it can be tried again", async () => {
    script(site, [{ text: "I was about to" }, { cut: true }], "Now I can.");
    await say(page, "Can you?");
    await answers(page).getByText(en.chat.answerFailed).waitFor();
    await answers(page).last().getByText("I was about to").waitFor();
    await page.reload();
    await answers(page).getByText(en.chat.answerFailed).waitFor();
    await button(answers(page).last(), en.shared.retry).click();
    await endedAnswers(page).getByText("Now I can.").waitFor();
    assertEquals(await answers(page).getByText(en.chat.answerFailed).count(), 0);
  });

  await t.step("a model that does not answer at all leaves the question, and can be tried again", async () => {
    script(site, [{ status: 400 }], "At last.");
    await say(page, "Anybody?");
    await answers(page).getByText(en.chat.answerFailed).waitFor();
    const told = page.locator("human-chat-messages p[aria-live=polite]");
    await told.filter({ hasText: en.chat.answerFailed }).waitFor({ state: "attached" });
    // There is nothing to copy or to rate.
    const buttons = await answers(page).last().locator(".actions").getByRole("button").allTextContents();
    assertEquals(buttons.map((text) => text.trim()), [en.shared.retry]);
    await button(answers(page).last(), en.shared.retry).click();
    await endedAnswers(page).getByText("At last.").waitFor();
    assertEquals((await asked()).filter((text) => text === "Anybody?"), ["Anybody?"]);
  });

  await t.step("what the list of chats could not be read for is gone as soon as something is answered", async () => {
    const { steps, goOn } = interrupted("Half", " and half.");
    script(site, steps);
    await say(page, "Is the list back?");
    await page.getByText("Half", { exact: true }).waitFor();
    await page.locator("human-chat-thread").first().waitFor();
    const list = "**/users/me/threads?*";
    await page.route(list, (route) => route.fulfill({ status: 503, json: { error: "Not now" } }));
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    const unread = page.locator("human-chat-side").getByText(en.shared.unreachable);
    await unread.waitFor();
    await page.unroute(list);
    goOn();
    await unread.waitFor({ state: "detached" });
  });

  await endSessions(t, prepared);
});

Deno.test("a chat page that is set up wrongly", async (t) => {
  await using prepared = await prepare();
  const { site, tenant } = prepared;

  await t.step("a coach who is not there", async () => {
    const script = `document.querySelector("human-chat").setAttribute("coach", "nobody-here")`;
    await using page = await embed(site, "<human-chat {{settings}}></human-chat>", { script });
    await using other = await visit(page.url);
    await other.page.getByText(en.chat.coachNotFound).waitFor();
  });

  await t.step("a coach who is paused, and comes back", async () => {
    await operator.from("coach_profiles").update({ is_active: false }).eq("id", tenant.coachId).throwOnError();
    await using other = await visit(site.url);
    await other.page.getByText(en.chat.coachPaused).waitFor();
    await operator.from("coach_profiles").update({ is_active: true }).eq("id", tenant.coachId).throwOnError();
    await button(other.page, en.shared.retry).click();
    await other.page.getByText("Hello, I am Ada.").waitFor();
  });

  await t.step("a page at an address that the key does not name", async () => {
    await using page = await embed(site, "<human-chat {{settings}}></human-chat>", { key: site.publishableKey });
    await using other = await visit(page.url);
    await other.page.getByText(en.chat.originNotAllowed).waitFor();
  });

  await t.step("a secret key in a page is said before anything is sent", async () => {
    await using page = await embed(site, "<human-chat {{settings}}></human-chat>", { key: "hi_live_secret" });
    await using other = await visit(page.url);
    await other.page.getByText("Revoke any other key that was put here").waitFor();
    assertEquals([...other.origins], [new URL(page.url).origin]);
  });

  await t.step("a key that nobody knows", async () => {
    await using page = await embed(site, "<human-chat {{settings}}></human-chat>", { key: "hi_pub_unknown" });
    await using other = await visit(page.url);
    await other.page.getByText(en.chat.keyNotAllowed).waitFor();
  });

  await t.step("nor one of Supabase: nobody is signed out, and the console names the attribute", async () => {
    const body = '<human-chat {{settings}} supabase-key="sb_publishable_nope"></human-chat>';
    await using page = await embed(site, body, { hasOwnLogin: true });
    await using other = await visit("about:blank");
    const warning = other.page.waitForEvent("console", (line) => line.text().includes("supabase-key"));
    await other.page.goto(page.url);
    await other.page.getByText(en.chat.keyNotAllowed).waitFor();
    assertEquals((await warning).type(), "warning");
  });
});

Deno.test("too much at once on the chat page", async (t) => {
  await using site = await openSite({}, { requests_per_minute: 8 });
  const limited = whole(`${en.chat.queued} ${en.chat.limited.other}`, { seconds: /\d+/ });

  await t.step("says how long, and keeps the question", async () => {
    await using visitor = await visit(site.url);
    const { page } = visitor;
    script(site, "Yes.");
    const waiting = page.getByText(limited);
    for (let count = 0; await waiting.count() === 0; count++) {
      await say(page, `Question ${count}`);
      await page.locator("article[aria-busy=false]").nth(count).or(waiting).first().waitFor();
    }
    await composer(page).fill("Further words");
    assertEquals(await button(page, en.chat.send).isEnabled(), true);
  });

  await t.step("and sends the question after that", async () => {
    await using visitor = await visit(site.url);
    const { page } = visitor;
    await page.clock.install();
    const chat = "**/functions/v1/chat";
    await page.route(
      chat,
      (route) => route.fulfill({ status: 429, json: { error: "Too many requests", retryAfter: 50 } }),
    );
    await say(page, "Later?");
    await page.getByText(limited).waitFor();
    await page.unroute(chat);
    script(site, "Now.");
    await page.clock.fastForward(51_000);
    await endedAnswers(page).getByText("Now.").waitFor();
    assertEquals(await questions(page).allTextContents(), ["Later?"]);
  });
});
