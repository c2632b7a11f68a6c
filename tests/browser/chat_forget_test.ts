import { assertEquals } from "../support/assert.ts";
import { ask, assertReply } from "../support/client.ts";
import { operator } from "../support/project.ts";
import { answers, button, composer, endedAnswers, say, script } from "./chat.ts";
import { openSite, visit } from "./site.ts";
import { en } from "./texts.ts";

Deno.test("a visitor who wants to be forgotten", async (t) => {
  const starters = [1, 2, 3, 4, 5, 6].map((number) => `What is the ${number}. thing that I should know?`);
  await using site = await openSite({ starters });
  const { service, tenant, expert } = site;
  await using visitor = await visit(site.url);
  const { page, context } = visitor;
  context.setDefaultTimeout(10_000);
  const users = async () =>
    (await operator.from("threads").select("user_id").eq("coach_id", tenant.coachId).throwOnError()).data
      .map(({ user_id }) => user_id);
  const dialog = page.getByRole("dialog");
  const unsure = en.chat.leaveVisitFailed;

  await t.step("is told before the first message where chats are, and who can read them", async () => {
    const line = "Chats are kept on the server of this site. " +
      "The person behind Ada Byron and those who run the site can read them.";
    await page.getByText(line).waitFor();
    assertEquals(await page.getByText("in this browser").count(), 0);
    for (const [width, height] of [[390, 700], [1100, 850]] as const) {
      await page.setViewportSize({ width, height });
      const [said, field] = await Promise.all([page.getByText(line).boundingBox(), composer(page).boundingBox()]);
      const isSeen = said!.y > 0 && said!.y + said!.height < field!.y;
      assertEquals(isSeen, true, `at once, at ${width} × ${height}`);
    }
    script(site, "Yes.", "Once more.");
    await say(page, "Is it me?");
    await endedAnswers(page).getByText("Yes.").waitFor();
    assertEquals(await page.getByText(line).count(), 0);
  });

  await t.step("offline: is told that it has failed, and is still signed in", async () => {
    await button(page, en.chat.leaveVisit).click();
    await dialog.getByText(en.chat.leaveVisitHint).waitFor();
    await context.setOffline(true);
    await button(dialog, en.chat.leaveVisit).click();
    await dialog.getByText(`${en.chat.offline} ${unsure}`).waitFor();
    await context.setOffline(false);
    await button(dialog, en.shared.cancel).click();
    assertEquals(await answers(page).count(), 1);
    assertEquals((await users()).length, 1);
  });

  await t.step("a service that fails: the same, also after a reload", async () => {
    const erasure = "**/functions/v1/users/me";
    await page.route(erasure, (route) => route.fulfill({ status: 500, json: { error: "Failed" } }));
    await page.reload();
    await endedAnswers(page).getByText("Yes.").waitFor();
    await button(page, en.chat.leaveVisit).click();
    await dialog.getByText(en.chat.leaveVisitHint).waitFor();
    await button(dialog, en.chat.leaveVisit).click();
    await dialog.getByText(`${en.chat.trouble} ${unsure}`).waitFor();
    await page.unroute(erasure);
    assertEquals((await users()).length, 1);
  });

  await t.step("tries again there: everything is deleted, for the expert too, and the session is gone", async () => {
    const [threadId] = /[0-9a-f-]{36}/.exec(page.url())!;
    const read = () => ask(service, "GET", `/threads/${threadId}`, { ...tenant, accessToken: expert.accessToken });
    assertReply(await read(), 200);
    await button(dialog, en.chat.leaveVisit).click();
    await page.getByText(en.chat.signedOut).waitFor();
    await page.getByText(en.chat.forgotten).waitFor();
    assertEquals(await dialog.count(), 0);
    assertEquals(await users(), []);
    assertReply(await read(), 404);
    const stored = await page.evaluate(() => Object.keys(localStorage));
    assertEquals(stored.filter((name) => name.startsWith("human-chat visitor")), []);
  });

  await t.step("goes on as somebody new", async () => {
    await button(page, en.chat.goOnAsVisitor).click();
    await page.getByText(en.chat.noChats).waitFor();
    await say(page, "And now?");
    await endedAnswers(page).getByText("Once more.").waitFor();
    assertEquals((await users()).length, 1);
    // The browser itself logs the requests that failed above.
    assertEquals(visitor.errors.filter((error) => !error.startsWith("Failed to load resource")), []);
  });
});
