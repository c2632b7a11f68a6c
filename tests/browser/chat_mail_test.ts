/// <reference lib="dom" />
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { assertEquals, assertMatch } from "../support/assert.ts";
import { ask } from "../support/client.ts";
import { linksOf } from "../support/mail_server.ts";
import type { Step } from "../support/model_server.ts";
import { button, composer, endedAnswers, say, script } from "./chat.ts";
import { embed } from "./embed.ts";
import { findBarriers } from "./find_barriers.ts";
import { openSite, openSiteWithMails, type Site, visit } from "./site.ts";
import { en, fill, startOf } from "./texts.ts";

/** Asks a question that the persona passes on. */
async function askUnknown(site: Site, page: Page, question: string): Promise<void> {
  const call: Step = { call: { id: "call_1", name: "ask_expert", arguments: { question, for_human: false } } };
  script(site, [call], "I do not know that. I have passed it on.");
  await say(page, question);
  await endedAnswers(page).getByText("I have passed it on.").last().waitFor();
}

/** Signs in as the site's other user, whose address and password the form has. */
async function signIn(page: Page): Promise<void> {
  await button(page, en.shared.signIn).click();
  await page.getByRole("dialog").getByRole("button", { name: en.shared.signIn }).click();
  await page.getByText(startOf(en.chat.signedInAs)).waitFor();
}

const offer = fill(en.chat.mailOffer, { name: "Ada Byron" });

Deno.test("a question that was passed on can be answered by email", async (t) => {
  await using prepared = await openSiteWithMails();
  const { mails, site, callMailer } = prepared;
  const { email } = site.visitor;
  await using visitor = await visit(site.url, { bypassCSP: true });
  const { page } = visitor;

  await t.step("this is not offered to a visitor without an account", async () => {
    await askUnknown(site, page, "May a dog come to the workshop?");
    await page.locator("human-chat-mail").waitFor({ state: "attached" });
    assertEquals(await button(page, offer).count(), 0);
  });

  await t.step("a signed-in person is not bothered where the persona has answered", async () => {
    await signIn(page);
    script(site, "At nine.");
    await say(page, "When does it begin?");
    await endedAnswers(page).getByText("At nine.").waitFor();
    assertEquals(await page.locator("human-chat-mail").count(), 0);
  });

  await t.step("where it was passed on, they give an address, which gets a link", async () => {
    await askUnknown(site, page, "May a cat come to the workshop?");
    await button(page, offer).click();
    const field = page.getByRole("textbox", { name: en.shared.email });
    assertEquals(await field.inputValue(), email);
    assertEquals(await findBarriers(page), []);
    await button(page, en.shared.cancel).click();
    await button(page, offer).click();
    await button(page, en.shared.sendLink).click();
    await page.getByText(fill(en.chat.mailUnconfirmed, { email })).waitFor();
  });

  await t.step("the link confirms the address, once the page is open", async () => {
    const [mail] = await mails.waitFor(email, 1, callMailer);
    const [link] = linksOf(mail!);
    await using other = await visit(site.url + new URL(link!).hash);
    await other.page.getByText(en.chat.mailConfirmed).waitFor();
    assertEquals(new URL(other.page.url()).hash, "", "the token is not left in the address");
    await button(other.page, en.shared.close).click();
    assertEquals(await other.page.getByText(en.chat.mailConfirmed).count(), 0);
    assertEquals(other.errors, []);

    await page.evaluate(() => dispatchEvent(new Event("focus")));
    await page.getByText(fill(en.chat.mailOn, { email, name: "Ada Byron" })).waitFor();
    assertEquals(await findBarriers(page), []);
  });

  await t.step("a link that is not valid says so", async () => {
    await using other = await visit(`${site.url}#confirm-email=nothing%`);
    await other.page.getByText(en.shared.linkExpired).waitFor();
    assertEquals(new URL(other.page.url()).hash, "");
    assertEquals(other.errors, []);
  });

  await t.step("a link that comes to an open page is heeded, too, also after one to an answer", async () => {
    await using other = await visit(site.url);
    const follow = (hash: string) => other.page.evaluate((hash) => void (location.hash = hash), hash);
    await composer(other.page).waitFor();
    // A mail program may have cut it in the middle of a character.
    await follow("answer=nothing%E");
    await other.page.getByText(en.chat.mailedGone).waitFor();
    await follow("confirm-email=nothing");
    await other.page.getByText(en.shared.linkExpired).waitFor();
    await composer(other.page).waitFor();
    assertEquals(new URL(other.page.url()).hash, "");

    await using first = await visit(`${site.url}#answer=nothing`);
    await first.page.getByText(en.chat.mailedGone).waitFor();
    await first.page.evaluate(() => void (location.hash = "confirm-email=nothing"));
    await composer(first.page).waitFor();
  });

  await t.step("it can be stopped", async () => {
    await button(page, en.chat.mailStop).click();
    await button(page, offer).waitFor();
    await page.reload();
    await button(page, offer).waitFor();
  });
  assertEquals(visitor.errors, []);
});

Deno.test("without a mail server, nobody is offered an email", async () => {
  await using site = await openSite();
  await using visitor = await visit(site.url);
  const { page } = visitor;
  await signIn(page);
  const settings = page.waitForResponse(/\/users\/me\/mail/);
  await askUnknown(site, page, "May a dog come to the workshop?");
  assertMatch(await (await settings).text(), /"is_available":\s?false/);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  assertEquals(await button(page, offer).count(), 0);
  assertEquals(visitor.errors, []);
});

Deno.test("the picture of a persona", async (t) => {
  await using site = await openSite();
  const { tenant } = site;
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const { json } = await ask(site.service, "GET", `/coaches/${tenant.coachId}`, tenant);
  const cards = JSON.stringify([{ ...json, picture_url: `${site.url}pictures/ada.png` }]);
  await using page = await embed(site, `<human-chat {{settings}} coaches='${cards}'></human-chat>`);

  /** Opens a page with a picture that the storage of the project has or has not. */
  async function open(status: number) {
    const visitor = await visit("about:blank");
    await visitor.context.route(
      "**/pictures/ada.png",
      (route) =>
        route.fulfill({ status, contentType: "image/png", body: status === 200 ? Buffer.from(pixel, "base64") : "" }),
    );
    await visitor.page.goto(page.url);
    await visitor.page.getByText("Hello, I am Ada.").waitFor();
    return visitor;
  }

  await t.step("is in the header and in the greeting", async () => {
    await using visitor = await open(200);
    const pictures = visitor.page.locator(".initials img");
    await visitor.page.waitForFunction(() => {
      const chat = document.querySelector("human-chat")!.shadowRoot!;
      const list = chat.querySelector("human-chat-messages")!.shadowRoot!;
      const all = [chat, list].flatMap((root) => [...root.querySelectorAll<HTMLImageElement>(".initials img")]);
      return all.length === 2 && all.every(({ naturalWidth }) => naturalWidth === 1);
    });
    assertEquals(await pictures.first().getAttribute("loading"), "lazy");
    assertEquals(visitor.errors, []);
  });

  await t.step("that cannot be loaded leaves the initials", async () => {
    await using visitor = await open(404);
    await visitor.page.locator(".initials img").first().waitFor({ state: "detached" });
    assertEquals(await visitor.page.locator(".initials").first().textContent(), "AB");
  });
});
