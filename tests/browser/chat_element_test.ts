import { gzipSync } from "node:zlib";
/// <reference lib="dom" />
import { assert, assertEquals } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { createCoach, createUser, operator } from "../support/project.ts";
import { button, composer, endedAnswers, questions, say, script } from "./chat.ts";
import { embed } from "./embed.ts";
import { openSite, visit } from "./site.ts";
import { en, fill, whole } from "./texts.ts";

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const site = stack.use(await openSite());
  const { tenant } = site;
  return handOver(stack, { site, tenant });
}

Deno.test("the element on somebody else's page", async (t) => {
  await using prepared = await prepare();
  const { site } = prepared;

  await t.step("its one file has less than 60 KB compressed", async () => {
    const file = new Uint8Array(await (await fetch(`${site.url}human-chat.js`)).arrayBuffer());
    const { byteLength } = gzipSync(file, { level: 9 });
    assert(byteLength < 60 * 1024, `${byteLength}`);
  });

  await t.step("two on one page talk apart, under a strict policy and without cookies", async () => {
    await using page = await embed(
      site,
      `<human-chat id="left" {{settings}}></human-chat><human-chat id="right" {{settings}}></human-chat>`,
    );
    await using visitor = await visit(page.url);
    const [left, right] = [visitor.page.locator("#left"), visitor.page.locator("#right")];
    for (const element of [left, right]) await element.getByText("Hello, I am Ada.").waitFor();
    script(site, "To the left.", "To the right.");
    await left.getByRole("textbox", { name: whole(en.chat.messageLabel) }).fill("Left?");
    await visitor.page.keyboard.press("Enter");
    await left.locator("article[aria-busy=false]").getByText("To the left.").waitFor();
    await right.getByRole("textbox", { name: whole(en.chat.messageLabel) }).fill("Right?");
    await visitor.page.keyboard.press("Enter");
    await right.locator("article[aria-busy=false]").getByText("To the right.").waitFor();
    assertEquals(await left.locator(".bubble").allTextContents(), ["Left?"]);
    assertEquals(await right.locator(".bubble").allTextContents(), ["Right?"]);
    assertEquals(visitor.page.url(), page.url, "the address is the site's own");
    assertEquals(await visitor.page.title(), "A site");

    // A reload finds both again, though nothing stands in the address.
    await visitor.page.reload();
    await left.getByText("To the left.").waitFor();
    await right.getByText("To the right.").waitFor();
    assertEquals(await visitor.context.cookies(), []);
    assertEquals(visitor.errors, []);
  });

  await t.step("with a login of the site's own, nobody is signed in anonymously, and nothing is stored", async () => {
    const user = await createUser();
    await using page = await embed(site, `<human-chat {{settings}}></human-chat>`, {
      hasOwnLogin: true,
      script: `let token = null;
        const chat = document.querySelector("human-chat");
        chat.accessToken = async () => token;
        addEventListener("signed-in", () => { token = ${JSON.stringify(user.accessToken)}; });`,
    });
    await using visitor = await visit("about:blank");
    const signUps: string[] = [];
    visitor.page.on("request", (request) => /auth\/v1/.test(request.url()) && signUps.push(request.url()));
    await visitor.page.goto(page.url);
    await visitor.page.getByText(en.chat.siteSignedOut).waitFor();
    await visitor.page.evaluate(() => dispatchEvent(new Event("signed-in")));
    await button(visitor.page, en.shared.retry).click();
    await visitor.page.getByText("Hello, I am Ada.").waitFor();
    script(site, "Hello, member.");
    await say(visitor.page, "It is me");
    await endedAnswers(visitor.page).getByText("Hello, member.").waitFor();
    const { data } = await operator.from("threads").select("title").eq("user_id", user.id).throwOnError();
    assertEquals(data, [{ title: "It is me" }]);
    assertEquals(await visitor.page.getByText(en.chat.visitor).count(), 0);
    assertEquals(await visitor.page.evaluate(() => Object.keys(localStorage)), []);
    assertEquals(signUps, []);
  });

  await t.step("beside the line about privacy, it links to the site's own page, and to nothing else", async () => {
    await using page = await embed(
      site,
      `<human-chat {{settings}} privacy-url="/privacy"></human-chat>
      <human-chat {{settings}} privacy-url="javascript:attack()"></human-chat><human-chat {{settings}}></human-chat>`,
    );
    await using visitor = await visit(page.url);
    await visitor.page.getByText(fill(en.chat.privacy, { name: "Ada Byron" })).nth(2).waitFor();
    const link = visitor.page.getByRole("link", { name: en.chat.privacyPage });
    assertEquals(await link.evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href)), [
      new URL("/privacy", page.url).href,
    ]);
    assertEquals(await link.getAttribute("target"), "_blank");
  });

  await t.step("in that line, it says how long chats are kept, if the account wants that", async () => {
    const keep = (retention_days: number | null) =>
      operator.from("accounts").update({ retention_days }).eq("id", site.tenant.accountId).throwOnError();
    await keep(90);
    await using page = await embed(
      site,
      `<human-chat {{settings}}></human-chat><human-chat {{settings}} lang="ar"></human-chat>`,
    );
    await using visitor = await visit(page.url);
    await visitor.page.getByText("Chats are kept for 90 days after their last message.").waitFor();
    await visitor.page.getByText("يومًا بعد آخر رسالة فيها").waitFor();
    await keep(null);
  });

  await t.step("in other words, and from right to left", async () => {
    await using page = await embed(site, `<div dir="rtl"><human-chat {{settings}}></human-chat></div>`, {
      script: `document.querySelector("human-chat").texts = { newChat: "שיחה חדשה", send: "שליחה" };`,
    });
    await using visitor = await visit(page.url);
    await visitor.page.getByRole("button", { name: "שיחה חדשה" }).first().waitFor();
    await visitor.page.getByText("Hello, I am Ada.").waitFor();
    const side = (await visitor.page.locator("aside").boundingBox())!;
    const log = (await visitor.page.getByRole("log").boundingBox())!;
    assert(side.x > log.x, "the chats stand on the right");
    script(site, "Fine.");
    await say(visitor.page, "A question");
    await endedAnswers(visitor.page).getByText("Fine.").waitFor();
    // The question is shown anew once it is listed.
    await visitor.page.locator("article.question .actions:not(.later)").waitFor();
    const question = (await questions(visitor.page).boundingBox())!;
    assert(question.x < log.x + log.width / 2, "questions stand on the left");
    assertEquals(visitor.errors, []);
  });
});

Deno.test("the element in a small place, and its coaches", async (t) => {
  await using prepared = await prepare();
  const { site, tenant } = prepared;

  await t.step("in a small place, the chats are in a drawer of the element, however wide the page is", async () => {
    await using page = await embed(site, `<human-chat id="small" {{settings}}></human-chat>`, {
      script: `const sheet = new CSSStyleSheet();
        sheet.replaceSync("#small { width: 24rem; height: 36rem; margin: 100px; --human-chat-accent: rgb(1, 2, 3) }");
        document.adoptedStyleSheets = [sheet];`,
    });
    await using visitor = await visit(page.url);
    const { page: tab } = visitor;
    await tab.getByText("Hello, I am Ada.").waitFor();
    assertEquals(await tab.locator("aside").isVisible(), false);
    await button(tab, en.chat.menu).click();
    const [side, element] = [(await tab.locator("aside").boundingBox())!, (await tab.locator("#small").boundingBox())!];
    assertEquals([side.x, side.y], [element.x, element.y]);
    assert(side.width < element.width);
    await tab.keyboard.press("Escape");
    await tab.locator("aside").waitFor({ state: "hidden" });
    assertEquals(await button(tab, en.chat.menu).evaluate((it) => it.matches(":focus")), true);
    await composer(tab).fill("x");
    assertEquals(
      await button(tab, en.chat.send).evaluate((it) => getComputedStyle(it).backgroundColor),
      "rgb(1, 2, 3)",
    );
  });

  await t.step("a link to a thread with another coach leads nowhere on a page of one coach", async () => {
    const { id: coach_id } = await createCoach(tenant.accountId, { name: "Alan Turing", title: "Machines" });
    await using page = await embed(site, `<human-chat {{settings}} coach="${tenant.coachId}" links></human-chat>`);
    await using visitor = await visit(page.url);
    await visitor.page.getByText("Hello, I am Ada.").waitFor();
    const user_id = await visitor.page.evaluate(() => {
      const [session] = Object.entries(localStorage).filter(([name]) => name.startsWith("human-chat visitor"));
      return JSON.parse(session![1]).userId as string;
    });
    const { data } = await operator.from("threads").insert({
      account_id: tenant.accountId,
      coach_id,
      user_id,
      title: "Machines",
    }).select("id").single().throwOnError();
    await operator.from("messages").insert({ thread_id: data.id, role: "assistant", content: "Alan says so." })
      .throwOnError();
    await visitor.page.evaluate((id) => location.hash = id, data.id);
    await visitor.page.getByText(en.chat.threadNotFound).waitFor();
    assertEquals(await visitor.page.getByText("Alan says so.").count(), 0);
  });

  await t.step("without a coach, whom to talk to can be chosen, is remembered, and can be changed", async () => {
    await createCoach(tenant.accountId, { name: "Grace Hopper", title: "Compilers" });
    await using page = await embed(site, `<human-chat {{settings}} links></human-chat>`);
    await using visitor = await visit(page.url);
    const { page: tab } = visitor;
    await tab.getByRole("heading", { name: en.chat.chooseCoach }).waitFor();
    await button(tab, /Grace Hopper/).click();
    await tab.getByText("Compilers").first().waitFor();
    await tab.locator("textarea:focus").waitFor();
    await tab.reload();
    await composer(tab).waitFor();
    assertEquals(await tab.title(), "Grace Hopper");
    await button(tab, en.chat.changeCoach).click();
    await button(tab, /Ada Byron/).click();
    await tab.getByText("Hello, I am Ada.").waitFor();
    script(site, "Here.");
    await say(tab, "Who?");
    await endedAnswers(tab).getByText("Here.").waitFor();
    // A link leads to the coach of its thread.
    await button(tab, en.chat.changeCoach).click();
    await button(tab, /Grace Hopper/).click();
    await tab.goBack();
    await endedAnswers(tab).getByText("Here.").waitFor();
    await tab.waitForFunction(() => document.title === "Ada Byron");
    // On a phone, the button leaves the name its place.
    await tab.setViewportSize({ width: 390, height: 844 });
    assertEquals(await tab.locator("header h1 bdi").evaluate((it) => it.scrollWidth > it.clientWidth), false);
  });
});
