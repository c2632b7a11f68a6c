/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Page } from "playwright-core";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { addFile } from "../support/knowledge.ts";
import { onceARun } from "../support/slow.ts";
import { answers, button, endedAnswers, script } from "./chat.ts";
import { embed } from "./embed.ts";
import { assertSound } from "./find_barriers.ts";
import { looks } from "./looks.ts";
import { findOverflow } from "./find_overflow.ts";
import { openSite, visit } from "./site.ts";
import { ar, de, en, es, fill, fr, pt, whole } from "./texts.ts";

/** The language and the direction of a page, and those of its element. */
async function speechOf(page: Page) {
  return await page.evaluate(() => {
    const frame = document.querySelector("human-chat")!.shadowRoot!.querySelector<HTMLElement>(".frame")!;
    const { lang, dir } = document.documentElement;
    return { page: [lang, dir], element: [frame.lang, frame.dir, getComputedStyle(frame).direction] };
  });
}

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const site = stack.use(await openSite());
  await addFile(site.tenant, "Sleep.pdf", { content: "A cold room helps you sleep.", page: 3, heading: "The bedroom" });
  return handOver(stack, { site });
}

Deno.test("the chat page in the visitor's language", async (t) => {
  await using prepared = await prepare();
  const { site } = prepared;

  for (const { name, width, options: look } of onceARun(looks, { salt: "the chat in Arabic" })) {
    await t.step(`in Arabic at ${name}: mirrored, nothing cut off, and axe finds nothing serious`, async () => {
      await using visitor = await visit(site.url, { ...look, locale: "ar-EG" });
      const { page } = visitor;
      await page.getByText("Hello, I am Ada.").waitFor();
      assertEquals(await speechOf(page), { page: ["ar-EG", "rtl"], element: ["ar-EG", "rtl", "rtl"] });
      assertEquals(await page.locator("[slot=links]").textContent(), ar.chat.toDesk);
      const check = (screen: string) => assertSound(page, screen);
      await check("the beginning");

      script(site, "نم في غرفة باردة. [1]\n\n```\nconst cold = true;\n```\n\nSleep well.");
      const field = page.getByRole("textbox", { name: whole(ar.chat.messageLabel) });
      // The name keeps its own direction within the sentence.
      const placeholder = ar.chat.messagePlaceholder.replace("{name}", "\u2068Ada Byron\u2069");
      assertEquals(await field.getAttribute("placeholder"), placeholder);
      await field.fill("How do I sleep in a cold room?");
      await field.press("Enter");
      await endedAnswers(page).getByText("نم في غرفة باردة.").waitFor();
      // A message has the direction of its own text.
      const direction = (text: string) => page.getByText(text).first().evaluate((it) => getComputedStyle(it).direction);
      assertEquals([await direction("How do I sleep"), await direction("نم في غرفة")], ["ltr", "rtl"]);
      await check("an answer");
      await button(answers(page), /Sleep\.pdf/).click();
      await page.getByRole("dialog").waitFor();
      await check("a source");
      await page.keyboard.press("Escape");
      if (width < 1_000) {
        await button(page, ar.chat.menu).click();
        const side = page.locator("aside");
        await side.getByText("How do I sleep").waitFor();
        const { x, width: wide } = (await side.boundingBox())!;
        assertEquals(Math.round(x + wide), width, "the drawer is on the right");
        await check("the drawer");
      } else {
        const [side, main] = [await page.locator("aside").boundingBox(), await page.locator(".main").boundingBox()];
        assert(side!.x > main!.x, "the list is on the right");
      }
      assertEquals(visitor.errors, []);
    });
  }

  await t.step("the first language of the browser that there is counts, with its own dates and numbers", async () => {
    await using visitor = await visit(site.url, { locale: "de-AT" });
    const { page } = visitor;
    await page.getByRole("textbox", { name: fill(de.chat.messageLabel, { name: "Ada Byron" }) }).waitFor();
    assertEquals(await speechOf(page), { page: ["de-AT", "ltr"], element: ["de-AT", "ltr", "ltr"] });
    await using other = await visit(site.url, { locale: "ja-JP" });
    await other.page.getByRole("textbox", { name: fill(en.chat.messageLabel, { name: "Ada Byron" }) }).waitFor();
    assertEquals(await speechOf(other.page), { page: ["en", "ltr"], element: ["en", "", "ltr"] });
    assertEquals([visitor.errors, other.errors], [[], []]);
  });

  for (const [language, { chat }] of Object.entries({ fr, es, "pt-BR": pt })) {
    await t.step(`${language}: nothing is cut off on a phone`, async () => {
      await using visitor = await visit(site.url, { locale: language, viewport: { width: 390, height: 844 } });
      await visitor.page.getByRole("textbox", { name: fill(chat.messageLabel, { name: "Ada Byron" }) }).waitFor();
      assertEquals(await findOverflow(visitor.page), []);
      assertEquals(visitor.errors, []);
    });
  }
});

Deno.test("the element in the language of a site", async (t) => {
  await using prepared = await prepare();
  const { site } = prepared;

  await t.step(
    "the attribute counts more than the browser, can change, and leaves the language of the site alone",
    async () => {
      await using page = await embed(site, `<human-chat {{settings}} lang="de"></human-chat>`);
      await using visitor = await visit(page.url, { locale: "fr-FR" });
      await visitor.page.getByRole("textbox", { name: fill(de.chat.messageLabel, { name: "Ada Byron" }) }).waitFor();
      assertEquals(await speechOf(visitor.page), { page: ["en", ""], element: ["de", "ltr", "ltr"] });

      await visitor.page.evaluate(() => document.querySelector<HTMLElement>("human-chat")!.lang = "ar");
      await visitor.page.getByRole("textbox", { name: whole(ar.chat.messageLabel) }).waitFor();
      assertEquals(await speechOf(visitor.page), { page: ["en", ""], element: ["ar", "rtl", "rtl"] });
      assertEquals(visitor.errors, []);
    },
  );

  await t.step("a site replaces single texts, also one that depends on a number", async () => {
    const script = `Object.assign(document.querySelector("human-chat"), {
      texts: { newChat: "Neues Gespräch", unread: "{count} ungelesen" } })`;
    await using page = await embed(site, `<human-chat {{settings}} lang="de"></human-chat>`, { script });
    await using visitor = await visit(page.url);
    await button(visitor.page, "Neues Gespräch").first().waitFor();
    await visitor.page.getByRole("textbox", { name: fill(de.chat.messageLabel, { name: "Ada Byron" }) }).waitFor();
    assertEquals(visitor.errors, []);
  });

  await t.step("two elements speak two languages", async () => {
    await using page = await embed(
      site,
      `<human-chat {{settings}} id="one" lang="es"></human-chat><human-chat {{settings}} id="other" lang="ar"></human-chat>`,
    );
    await using visitor = await visit(page.url);
    await visitor.page.locator("#one").getByRole("textbox", { name: fill(es.chat.messageLabel, { name: "Ada Byron" }) })
      .waitFor();
    await visitor.page.locator("#other").getByRole("textbox", { name: whole(ar.chat.messageLabel) }).waitFor();
    assertEquals(visitor.errors, []);
  });

  await t.step("without the file of the language, the element is in English", async () => {
    await using page = await embed(site, `<human-chat {{settings}} lang="de"></human-chat>`);
    await using visitor = await visit("about:blank");
    await visitor.context.route("**/human-chat.de.js", (route) => route.abort());
    await visitor.page.goto(page.url);
    await visitor.page.getByRole("textbox", { name: fill(en.chat.messageLabel, { name: "Ada Byron" }) }).waitFor();
    assertEquals((await speechOf(visitor.page)).element, ["en", "", "ltr"]);
  });

  await t.step("an error of the service is in the visitor's language, with its number in the right form", async () => {
    await using page = await embed(site, `<human-chat {{settings}} lang="de"></human-chat>`);
    await using visitor = await visit(page.url);
    const field = visitor.page.getByRole("textbox", { name: fill(de.chat.messageLabel, { name: "Ada Byron" }) });
    await field.waitFor();
    let reply = {
      status: 422,
      code: "model_refused",
      body: { error: "The language model declined to answer this." } as object,
    };
    await visitor.context.route("**/functions/v1/chat", (route) =>
      route.fulfill({
        status: reply.status,
        headers: {
          "X-Error-Code": reply.code,
          "Access-Control-Expose-Headers": "X-Error-Code",
          "Access-Control-Allow-Origin": "*",
        },
        json: reply.body,
      }));
    await field.fill("Und?");
    await field.press("Enter");
    await visitor.page.getByText("Die KI hat es abgelehnt, darauf zu antworten.").waitFor();
    reply = { status: 429, code: "rate_limit_exceeded", body: { error: "Rate limit exceeded", retryAfter: 40 } };
    await button(visitor.page, de.chat.sendAgain).click();
    const sentence = visitor.page.getByText(/Das war viel auf einmal/).first();
    assertMatch(await sentence.textContent() ?? "", /In \d+ Sekunden geht es weiter/);
  });
});
