import type { Page } from "playwright-core";
import { assertEquals } from "../support/assert.ts";
import { createAppClient, operator } from "../support/project.ts";
import { button, composer, endedAnswers, questions, say, script } from "./chat.ts";
import { openSite, visit } from "./site.ts";
import { en, fill } from "./texts.ts";

/** Notes what a page asks the project for, as method and path. */
function watch(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/\/v1\//.test(pathname)) asked.push(`${request.method()} ${pathname}`);
  });
  return asked;
}

Deno.test("a page that has the card of its coach", async (t) => {
  await using site = await openSite({}, undefined, { hasCards: true });
  const { tenant: { coachId } } = site;
  const signUps = (asked: string[]) => asked.filter((one) => one === "POST /auth/v1/signup").length;

  await t.step("greets new visitors without a request, and makes no user of those who leave", async () => {
    for (let visits = 0; visits < 5; visits++) {
      await using visitor = await visit("about:blank");
      const { page } = visitor;
      const asked = watch(page);
      await page.goto(site.url);
      await page.getByText("Hello, I am Ada.").waitFor();
      await button(page, "What is an engine?").waitFor();
      await page.getByText(en.chat.noChats).waitFor();
      await composer(page).fill("Perhaps");
      await button(page, en.chat.newChat).first().click();
      assertEquals(asked, []);
      assertEquals(await page.evaluate(() => localStorage.length), 0);
      assertEquals(visitor.errors, []);
    }
  });

  await t.step("signs them up once, with the first message, and reads what has changed since", async () => {
    await using visitor = await visit("about:blank");
    const { page } = visitor;
    const asked = watch(page);
    await page.goto(site.url);
    await button(page, "What is an engine?").waitFor();
    assertEquals(await button(page, en.chat.leaveVisit).count(), 0);
    await operator.from("coach_profiles").update({ title: "Analytical engines" }).eq("id", coachId).throwOnError();
    script(site, "A machine.", "Yes.");
    await button(page, "What is an engine?").click();
    await endedAnswers(page).getByText("A machine.").waitFor();
    await say(page, "Really?");
    await endedAnswers(page).getByText("Yes.").waitFor();
    assertEquals([asked[0], signUps(asked)], ["POST /auth/v1/signup", 1]);
    await page.getByText("Analytical engines").first().waitFor();
    await page.locator("human-chat-thread", { hasText: "What is an engine?" }).waitFor();
    await button(page, en.chat.leaveVisit).waitFor();

    // Whoever comes back finds their chat, as the same user.
    await page.reload();
    await endedAnswers(page).getByText("A machine.").waitFor();
    await page.goto(site.url);
    await page.locator("human-chat-thread", { hasText: "What is an engine?" }).waitFor();
    assertEquals(signUps(asked), 1);
    assertEquals(visitor.errors, []);
  });

  await t.step("keeps a question that could not be sent because nobody could be signed up", async () => {
    await using visitor = await visit(site.url);
    const { page } = visitor;
    const asked = watch(page);
    await page.route("**/auth/v1/signup", (route) => route.fulfill({ status: 400, json: { msg: "Not now" } }));
    script(site, "I am here.");
    await say(page, "Is anybody there?");
    await button(page, en.chat.sendAgain).waitFor();
    await page.unroute("**/auth/v1/signup");
    await button(page, en.chat.sendAgain).click();
    await endedAnswers(page).getByText("I am here.").waitFor();
    assertEquals(await questions(page).allInnerTexts(), ["Is anybody there?"]);
    assertEquals(signUps(asked), 2);
  });

  await t.step("makes an account for somebody who has said nothing", async () => {
    await using visitor = await visit(site.url);
    const { page } = visitor;
    const dialog = page.getByRole("dialog");
    const [email, password] = [`${crypto.randomUUID()}@example.com`, crypto.randomUUID()];
    await button(page, en.shared.signIn).click();
    await button(dialog, en.chat.makeAccount).click();
    await dialog.getByLabel(en.shared.email).fill(email);
    await dialog.getByLabel(en.shared.password).fill(password);
    await button(dialog, en.chat.makeAccount).click();
    await page.getByText(fill(en.chat.signedInAs, { email })).waitFor();
    const { data } = await createAppClient().auth.signInWithPassword({ email, password });
    assertEquals(data.user?.email, email);
  });

  await t.step("two tabs that say something are one visitor", async () => {
    await using visitor = await visit(site.url);
    const other = await visitor.context.newPage();
    await other.goto(site.url);
    await other.getByText("Hello, I am Ada.").waitFor();
    script(site, "One.", "Two.");
    await say(visitor.page, "First?");
    await endedAnswers(visitor.page).getByText("One.").waitFor();
    await button(other, en.chat.leaveVisit).waitFor();
    await other.evaluate(() => dispatchEvent(new Event("focus")));
    await other.locator("human-chat-thread", { hasText: "First?" }).waitFor();
    const asked = watch(other);
    await say(other, "Second?");
    await endedAnswers(other).getByText("Two.").waitFor();
    assertEquals(signUps(asked), 0);
  });
});
