/// <reference lib="dom" />
import { gzipSync } from "node:zlib";
import type { BrowserContextOptions, Page } from "playwright-core";
import { assert, assertEquals } from "../support/assert.ts";
import { ask, assertReply } from "../support/client.ts";
import { createUser, operator } from "../support/project.ts";
import { onceARun } from "../support/slow.ts";
import { button, composer, endedAnswers, interrupted, say, script } from "./chat.ts";
import { embed } from "./embed.ts";
import { findBarriers } from "./find_barriers.ts";
import { findOverflow } from "./find_overflow.ts";
import { openSite, visit } from "./site.ts";
import { ar, de, en, fill, whole } from "./texts.ts";

const tag = "<human-chat-launcher {{settings}}></human-chat-launcher>";
const element = "human-chat-launcher";
const phone = { width: 390, height: 844 };

/** The part of the launcher that has the focus, or that contains it. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const within = document.querySelector("human-chat-launcher")!.shadowRoot!.activeElement;
    return within?.id || within?.className || within?.localName || "";
  });

Deno.test("the launcher", async (t) => {
  await using site = await openSite();

  await t.step("its script has less than 4.5 KB compressed, with the texts of all languages", async () => {
    const file = new Uint8Array(await (await fetch(`${site.url}human-chat-launcher.js`)).arrayBuffer());
    const { byteLength } = gzipSync(file, { level: 9 });
    assert(byteLength < 4.5 * 1024, `${byteLength}`);
  });

  await t.step("loads the chat when it is opened, and asks nobody before, under a strict policy", async () => {
    await using page = await embed(site, `<p><a href="#x">A link</a></p>${tag}`, { element });
    await using visitor = await visit("about:blank");
    const requests: string[] = [];
    visitor.page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    await visitor.page.goto(page.url);
    const opener = button(visitor.page, en.launcher.open);
    await opener.waitFor();
    assertEquals(requests.filter((path) => !/^\/(?:page\.\w+|favicon\.ico)?$/.test(path)), ["/human-chat-launcher.js"]);
    await visitor.page.keyboard.press("Tab");
    await visitor.page.keyboard.press("Tab");
    await visitor.page.keyboard.press("Enter");
    await visitor.page.getByRole("dialog", { name: en.launcher.name, exact: true }).getByText("Hello, I am Ada.")
      .waitFor();
    // The focus is in the field for a message.
    await visitor.page.locator("textarea:focus").waitFor();
    assertEquals(await button(visitor.page, en.launcher.close).getAttribute("aria-expanded"), "true");
    const pictures = button(visitor.page, en.launcher.close).locator("svg");
    assertEquals([await pictures.nth(0).isVisible(), await pictures.nth(1).isVisible()], [false, true]);
    script(site, "Hello, visitor.");
    await visitor.page.keyboard.type("It is me");
    await visitor.page.keyboard.press("Enter");
    await endedAnswers(visitor.page).getByText("Hello, visitor.").waitFor();
    assertEquals([await visitor.page.title(), visitor.page.url()], ["A site", page.url]);

    // The next page of the site has the same chat.
    await visitor.page.reload();
    assertEquals(await visitor.page.getByText("Hello, visitor.").count(), 0);
    await opener.click();
    await visitor.page.getByText("Hello, visitor.").waitFor();
    assertEquals(visitor.errors, []);
  });

  await t.step("Escape closes the panel, but first what is open in the chat, and the focus returns", async () => {
    await using page = await embed(site, tag, { element });
    await using visitor = await visit(page.url);
    const { page: tab } = visitor;
    await button(tab, en.launcher.open).click();
    await composer(tab).waitFor();
    await button(tab, en.chat.menu).click();
    await tab.locator("aside.open").waitFor();
    await tab.keyboard.press("Escape");
    await tab.locator("aside").waitFor({ state: "hidden" });
    assertEquals(await tab.locator("dialog").first().isVisible(), true);
    const answer = interrupted("One moment", " please.");
    script(site, answer.steps);
    await say(tab, "Are you there?");
    await tab.getByText("One moment").waitFor();
    await composer(tab).press("Escape");
    await tab.getByText(en.chat.answerStopped).waitFor();
    answer.goOn();
    assertEquals(await composer(tab).isVisible(), true);
    await composer(tab).press("Escape");
    await composer(tab).waitFor({ state: "hidden" });
    assertEquals(await focused(tab), "bubble");
    // The second time, the chat is there as it was.
    await tab.keyboard.press("Enter");
    await tab.locator("textarea:focus").waitFor();
    assertEquals(visitor.errors, []);
  });

  await t.step("marks an answer that ended while it was closed, until it is opened", async () => {
    await using page = await embed(site, tag, {
      element,
      script: `addEventListener("unread", ({ target, detail }) => {
      document.title = target.localName + " " + detail;
    });`,
    });
    await using visitor = await visit(page.url);
    const { page: tab } = visitor;
    await button(tab, en.launcher.open).click();
    const answer = interrupted("Wait", " for it.");
    script(site, answer.steps);
    await say(tab, "Will you tell me?");
    await tab.getByText("Wait").waitFor();
    await button(tab, en.launcher.close).click();
    // The chat is told in the next frame that it is not shown.
    await tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    answer.goOn();
    await button(tab, fill(en.launcher.openNew, { count: 1 })).waitFor();
    await tab.locator(".mark").getByText("1").waitFor();
    await tab.waitForFunction(() => document.title === "human-chat-launcher 1");
    assertEquals(await findBarriers(tab), []);
    await button(tab, fill(en.launcher.openNew, { count: 1 })).click();
    await endedAnswers(tab).getByText("Wait for it.").waitFor();
    await tab.waitForFunction(() => document.title === "human-chat-launcher 0");
    await button(tab, en.launcher.close).click();
    assertEquals(await button(tab, en.launcher.open).locator(".mark").isVisible(), false);
    assertEquals(visitor.errors, []);
  });

  await t.step("marks what the expert has written while it was closed, and does not take it for read", async () => {
    const watching = tag.replace(" {{", " watch {{");
    await using page = await embed(site, watching, { element });
    await using visitor = await visit(page.url);
    const { page: tab } = visitor;
    await tab.clock.install();
    await button(tab, en.launcher.open).click();
    script(site, "I will ask.");
    await say(tab, "A question for you");
    await endedAnswers(tab).getByText("I will ask.").waitFor();
    await button(tab, en.launcher.close).click();
    const { data } = await operator.from("threads").select("id").eq("title", "A question for you").single()
      .throwOnError();
    const credentials = { apiKey: site.tenant.apiKey, accessToken: site.expert.accessToken };
    const said = { content: "Here I am." };
    assertReply(await ask(site.service, "POST", `/threads/${data.id}/messages`, credentials, said), 200);
    await tab.clock.fastForward(120_000);
    await button(tab, fill(en.launcher.openNew, { count: 1 })).waitFor();
    // A visitor who comes back is told, without opening anything.
    await tab.reload();
    await tab.clock.fastForward(2_000);
    await button(tab, fill(en.launcher.openNew, { count: 1 })).waitFor();
    await button(tab, fill(en.launcher.openNew, { count: 1 })).click();
    await endedAnswers(tab).getByText("Here I am.").waitFor();
    assertEquals(visitor.errors, []);
  });
});

Deno.test("the launcher and its site", async (t) => {
  await using site = await openSite();

  await t.step("a script that is not there is said plainly, and can be tried again", async () => {
    await using page = await embed(site, tag, { element });
    await using visitor = await visit("about:blank");
    const { page: tab } = visitor;
    await tab.route("**/human-chat.js", (route) => route.fulfill({ status: 503 }), { times: 1 });
    await tab.goto(page.url);
    await button(tab, en.launcher.open).click();
    await tab.getByRole("alert").getByText(en.launcher.failed).waitFor();
    await button(tab, en.launcher.retry).click();
    await tab.getByText("Hello, I am Ada.").waitFor();
  });

  await t.step("passes on what the site sets, before its script is there and later", async () => {
    const user = await createUser();
    await using page = await embed(site, `<script type="module" src="page.js"></script>${tag}`, {
      element,
      hasOwnLogin: true,
      script: `const launcher = document.querySelector("human-chat-launcher");
        launcher.accessToken = async () => ${JSON.stringify(user.accessToken)};
        launcher.open = true;
        customElements.whenDefined("human-chat").then(() => { launcher.texts = { newChat: "Begin again" }; });`,
    });
    await using visitor = await visit(page.url);
    const { page: tab } = visitor;
    await tab.getByRole("button", { name: "Begin again" }).first().waitFor();
    await tab.getByText("Hello, I am Ada.").waitFor();
    // The site has opened it: the focus is where it was.
    assertEquals(await focused(tab), "");
    assertEquals(await tab.evaluate(() => Object.keys(localStorage)), []);
    await tab.evaluate(() => document.querySelector("human-chat-launcher")!.setAttribute("lang", "de"));
    await button(tab, de.launcher.close).waitFor();
    await tab.getByRole("textbox", { name: whole(de.chat.messageLabel) }).waitFor();
    await tab.evaluate(() => document.querySelector("human-chat-launcher")!.removeAttribute("open"));
    await button(tab, de.launcher.open).waitFor();
    assertEquals(visitor.errors, []);
  });
});

Deno.test("the looks of the launcher", async (t) => {
  await using site = await openSite();
  const look: BrowserContextOptions = { bypassCSP: true, reducedMotion: "reduce" };

  for (const colorScheme of onceARun(["light", "dark"] as const, { salt: "the launcher" })) {
    await t.step(`${colorScheme}: closed and open, axe finds nothing serious`, async () => {
      await using page = await embed(site, tag, { element });
      await using visitor = await visit(page.url, { ...look, colorScheme });
      await button(visitor.page, en.launcher.open).waitFor();
      assertEquals(await findBarriers(visitor.page), []);
      await button(visitor.page, en.launcher.open).click();
      await visitor.page.getByText("Hello, I am Ada.").waitFor();
      assertEquals([await findBarriers(visitor.page), await findOverflow(visitor.page)], [[], []]);
      // The page beside the panel can still be used.
      const panel = (await visitor.page.getByRole("dialog").boundingBox())!;
      assert(panel.width < 500 && panel.y >= 0 && panel.x + panel.width <= 1_400, JSON.stringify(panel));
    });
  }

  await t.step("fills a phone, in front of all else, and closes by its own button", async () => {
    await using page = await embed(site, `<button>Mine</button>${tag}`, { element });
    await using visitor = await visit(page.url, { ...look, viewport: phone });
    const { page: tab } = visitor;
    await button(tab, en.launcher.open).click();
    await tab.getByText("Hello, I am Ada.").waitFor();
    assertEquals(await tab.getByRole("dialog").boundingBox(), { x: 0, y: 0, ...phone });
    // No keyboard rises over the greeting, and nothing behind the panel can be reached.
    const isReached = await button(tab, "Mine").evaluate((it) => (it.focus(), it === document.activeElement));
    assertEquals([await focused(tab), isReached], ["close", false]);
    assertEquals([await findBarriers(tab), await findOverflow(tab)], [[], []]);
    // In a larger window, it is a panel again.
    await tab.setViewportSize({ width: 1_000, height: 800 });
    await button(tab, "Mine").click();
    await tab.setViewportSize(phone);
    await button(tab.getByRole("dialog"), en.launcher.close).click();
    assertEquals(await focused(tab), "bubble");
    await button(tab, "Mine").click();
    assertEquals(visitor.errors, []);
  });

  await t.step("stands on the left where the site is written from the right, in the visitor's language", async () => {
    await using page = await embed(site, `<div dir="rtl">${tag}</div>`, { element });
    await using visitor = await visit(page.url, { ...look, locale: "ar-EG" });
    const { page: tab } = visitor;
    const opener = button(tab, ar.launcher.open);
    const { x } = (await opener.boundingBox())!;
    assert(x < 100, `${x}`);
    await opener.click();
    await tab.getByText("Hello, I am Ada.").waitFor();
    assertEquals((await tab.getByRole("dialog", { name: ar.launcher.name }).boundingBox())!.x, x);
    assertEquals(await findBarriers(tab), []);
    await tab.evaluate(() => document.querySelector("human-chat-launcher")!.setAttribute("corner", "start"));
    assert((await button(tab, ar.launcher.close).boundingBox())!.x > 1_200);
  });
});
