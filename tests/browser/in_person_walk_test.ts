/// <reference lib="dom" />
import { assertEquals } from "../support/assert.ts";
import { linksOf, type ReceivedMail } from "../support/mail_server.ts";
import type { Step } from "../support/model_server.ts";
import { onceARun } from "../support/slow.ts";
import { answers, button, endedAnswers, say, script } from "./chat.ts";
import { sitDown } from "./desk.ts";
import { assertSound, findBarriers } from "./find_barriers.ts";
import { openSiteWithMails, type Site, visit } from "./site.ts";
import { en, fill, languagesOfWalks, whole } from "./texts.ts";

/** A phone. */
const phone = { viewport: { width: 390, height: 844 }, bypassCSP: true };

const question = "May a dog come to the workshop?";
const reply = "Yes, if it likes engines.";

/** The place of the page that a link in a mail leads to. */
const placeIn = (mail: ReceivedMail, name: string): string =>
  linksOf(mail).map((link) => new URL(link).hash).find((hash) => hash.startsWith(`#${name}=`))!;

/** Says that the model passes a question on. */
function scriptUnknown(site: Site) {
  const call: Step = { call: { id: "call_1", name: "ask_expert", arguments: { question, for_human: false } } };
  script(site, [call], "I do not know that.");
}

Deno.test("a visitor asks in person without an account, and opens the answer from the mail elsewhere", async (t) => {
  await using prepared = await openSiteWithMails();
  const { mails, site, callMailer } = prepared;

  for (const { locale, texts } of onceARun(languagesOfWalks, { salt: "asking in person" })) {
    await t.step(`in ${locale}`, async () => {
      const { chat } = texts;
      const name = "Ada Byron";
      const inPerson = whole(chat.askInPerson);
      const email = `p${crypto.randomUUID()}@example.com`;
      await using visitor = await visit(site.url, { ...phone, locale });
      const { page } = visitor;
      const card = page.locator("human-chat-request");

      // The persona does not know it: the way to the person is below.
      scriptUnknown(site);
      await page.getByRole("textbox", { name: whole(chat.messageLabel) }).fill(question);
      await page.keyboard.press("Enter");
      await endedAnswers(page).getByText("I do not know that.").waitFor();
      await button(answers(page).last(), inPerson).press("Enter");
      await card.getByText(fill(chat.requestPassedOn, { name })).waitFor();
      await assertSound(page, "passed on");
      await card.getByRole("textbox").fill(email);
      await card.getByRole("textbox").press("Enter");
      await card.getByText(chat.requestMailSent).waitFor();
      const [first] = await mails.waitFor(email, 1, callMailer);

      // The desk shows who waits on top, and opening it shows there.
      await using desk = await sitDown(site, { place: "#overview", locale, bypassCSP: true });
      const waiting = desk.page.locator("human-desk-waiting-people");
      await waiting.getByRole("heading", { name: texts.desk.overview.waitInPerson }).waitFor();
      assertEquals(await findBarriers(desk.page), []);
      await waiting.getByRole("link", { name: question }).first().click();
      await card.getByText(fill(chat.requestSeen, { name })).waitFor();

      // Confirmed, in any browser.
      await using other = await visit(site.url + placeIn(first!, "confirm-email"), { ...phone, locale });
      await other.page.getByText(chat.mailConfirmed).waitFor();

      // Answered: with face and name, and as a mail.
      await desk.page.getByRole("textbox", { name: texts.desk.conversations.yourMessage }).fill(reply);
      await desk.page.keyboard.press("Enter");
      const answer = page.locator("article.answer.expert", { hasText: reply });
      await answer.waitFor();
      assertEquals(await answer.locator(".name").innerText(), "Ada Byron");
      await answer.locator(".quote", { hasText: question }).waitFor();
      assertEquals(await card.count(), 0);
      await waiting.waitFor({ state: "detached" });
      await assertSound(page, "answered");
      const [, second] = await mails.waitFor(email, 2, callMailer);

      // The link opens both on another device, without signing in, and again.
      const place = placeIn(second!, "answer");
      await using device = await visit(site.url + place, { ...phone, locale });
      const mailed = device.page.locator("human-chat-mailed");
      for (const _ of [1, 2]) {
        await mailed.getByText(reply).waitFor();
        await mailed.getByText(question).waitFor();
        await device.page.reload();
      }
      await mailed.getByText(reply).waitFor();
      await assertSound(device.page, "opened from the mail");
      assertEquals(await device.page.evaluate(() => Object.keys(localStorage).filter((it) => /visitor/.test(it))), []);
      await mailed.getByRole("button", { name: chat.openChat }).click();
      await device.page.getByText("Hello, I am Ada.").waitFor();
      assertEquals([...visitor.errors, ...desk.errors, ...other.errors, ...device.errors], []);
    });
  }
});

Deno.test("the way to the person beside the composer", async (t) => {
  await using prepared = await openSiteWithMails();
  const { mails, site, callMailer } = prepared;
  await using visitor = await visit(site.url, phone);
  const { page } = visitor;
  const name = "Ada Byron";
  const inPerson = whole(en.chat.askInPerson);
  const toPerson = page.locator("human-chat-composer").getByRole("button", { name: inPerson });
  const card = page.locator("human-chat-request");

  await t.step("begins a conversation, without the model; the list shows that it waits", async () => {
    await toPerson.click();
    assertEquals(await toPerson.getAttribute("aria-pressed"), "true");
    await say(page, question);
    await card.getByText(fill(en.chat.requestPassedOn, { name })).waitFor();
    assertEquals(await toPerson.getAttribute("aria-pressed"), "false");
    assertEquals(site.service.model.requestsOf(site.tenant.modelName).length, 0);
    await button(page, en.chat.menu).click();
    await page.locator("human-chat-thread").getByText(fill(en.chat.waitingFor, { name })).waitFor();
    await page.keyboard.press("Escape");
    await page.reload();
    await card.getByText(question).waitFor();
  });

  await t.step("what was asked is taken back, and may be asked again", async () => {
    await button(card, en.chat.takeBack).click();
    await page.getByText(en.chat.takenBack).waitFor();
    assertEquals(await card.count(), 0);
    await button(answers(page), inPerson).click();
    await card.waitFor();
  });

  await t.step("while the model goes on, and the answer in person stands at its question", async () => {
    script(site, "At nine.");
    await say(page, "When does it begin?");
    await endedAnswers(page).getByText("At nine.").waitFor();
    await card.waitFor();
    await using desk = await sitDown(site, { place: "#questions", bypassCSP: true });
    await desk.page.locator("human-desk-waiting-people").getByRole("link", { name: question }).click();
    await desk.page.getByText(en.desk.conversations.askedInPerson).waitFor();
    assertEquals(
      await desk.page.locator("human-desk-message", { hasText: en.desk.conversations.noSources }).count(),
      1,
    );
    await desk.page.getByRole("textbox", { name: en.desk.conversations.yourMessage }).fill(reply);
    await desk.page.keyboard.press("Enter");
    await page.locator("article.answer.expert", { hasText: reply }).waitFor();
    assertEquals(await answers(page).first().getByText(reply).count(), 1);
    await desk.page.getByRole("button", { name: en.desk.conversations.handBack }).click();
    await page.getByText(fill(en.chat.expertLeft, { name })).waitFor();
  });

  await t.step("whoever gets a mail that they have not asked for stops all others", async () => {
    const email = `p${crypto.randomUUID()}@example.com`;
    await toPerson.click();
    await say(page, "And a cat?");
    await card.getByRole("textbox").fill(email);
    await card.getByRole("textbox").press("Enter");
    const [mail] = await mails.waitFor(email, 1, callMailer);
    await using other = await visit(site.url + placeIn(mail!, "not-me"), phone);
    await other.page.getByText(en.chat.notMeHint).waitFor();
    await assertSound(other.page, "not me");
    await button(other.page, en.chat.notMeSend).click();
    await other.page.getByText(en.chat.notMeDone).waitFor();
    await using gone = await visit(`${site.url}#answer=${"A".repeat(43)}`, phone);
    await gone.page.getByText(en.chat.mailedGone).waitFor();
  });
});
