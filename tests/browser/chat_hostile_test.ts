import type { Locator, Page } from "playwright-core";
import { assert, assertEquals } from "../support/assert.ts";
import { addFile } from "../support/knowledge.ts";
import { answers, button, endedAnswers, interrupted, questions, say, script } from "./chat.ts";
import { openSite, visit } from "./site.ts";
import { en, part } from "./texts.ts";
import { pinAnswer } from "../support/questions.ts";

const attack = "globalThis.attacked = true";
/** Texts of an attacker who wants the page to act for them. */
const hostile = [
  `<script>${attack}</script>`,
  `<img src="https://evil.example/pixel.png" onerror="${attack}">`,
  `<svg><animate onbegin="${attack}" attributeName="x" dur="1s"></svg>`,
  `<style>* { display: none; background: url(https://evil.example/style) }</style>`,
  `<iframe srcdoc="<script>parent.attacked = true</script>"></iframe>`,
  `<a href="javascript:${attack}">a link</a>`,
  `<details open ontoggle="${attack}">`,
  `<form action="https://evil.example"><button>Sign in</button></form>`,
  `&lt;script&gt;${attack}&lt;/script&gt;`,
  `&#60;img src=x onerror=${attack}&#62;`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${attack}&gt;">`,
];
const hostileMarkdown = [
  `![an image](https://evil.example/markdown.png "title")`,
  `![](<javascript:${attack}>)`,
  `[a link](javascript:${attack})`,
  `[another](&#106;avascript:${attack})`,
  `[third](java\tscript:${attack})`,
  `[data](data:text/html,<script>${attack}</script>)`,
  `[vb](vbscript:${attack})`,
  `<javascript:${attack}>`,
  `[ref]: javascript:${attack}`,
  `[ref]`,
  `[fine](https://example.com/page "a title\\" onmouseover=\\"${attack}")`,
  "```<script>\n" + attack + "\n</script>\n```",
  `| <b>a</b> | b |\n|---|---|\n| <img src=x onerror=${attack}> | \`<i>\` |`,
];

/** Searches the chats, and looks at what is shown of the one that is found. */
async function searchFor(page: Page, word: string): Promise<void> {
  await page.getByRole("searchbox").fill(word);
  const found = page.locator("human-chat-thread .title");
  await found.locator("mark").first().waitFor();
  const tags = new Set((await elementsOf(found)).map(({ tag }) => tag));
  tags.delete("span");
  assertEquals(tags, new Set(["bdi", "mark"]));
  await page.getByRole("searchbox").fill("");
  await found.locator("mark").first().waitFor({ state: "detached" });
}

Deno.test("hostile words on the chat page stay words", async (t) => {
  const name = `Ada <img src=x onerror="${attack}">`;
  await using site = await openSite({
    name,
    title: `<script>${attack}</script>`,
    greeting: hostile.join("\n"),
    starters: [`<b onclick="${attack}">Ask</b>`],
  });
  const { tenant } = site;
  const filename = `<img src=x onerror=${attack}>.pdf`;
  await addFile(tenant, filename, {
    content: `A bedroom is cold and **not bold** and ${hostile[0]}`,
    page: 1,
    heading: `<script>${attack}</script>`,
  });
  await using visitor = await visit(site.url, { permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = visitor;
  const isUnharmed = async () => {
    assertEquals(await page.evaluate(() => "attacked" in globalThis), false);
    assertEquals([...visitor.origins], [new URL(site.url).origin]);
    assertEquals(visitor.errors, []);
  };

  await t.step("in the name, title, greeting and starters of a coach", async () => {
    await page.locator(".greeting").waitFor();
    assertEquals(await page.locator(".greeting").textContent(), hostile.join("\n"));
    assertEquals(await page.title(), name);
    assertEquals(await page.locator(".welcome :is(img, script, style, iframe, form)").count(), 0);
    await isUnharmed();
  });

  await t.step("in a question, which is the title of the thread", async () => {
    script(site, "Short.");
    await say(page, ["Lanterns:", ...hostile].join("\n"));
    await endedAnswers(page).getByText("Short.").waitFor();
    assertEquals(new Set((await elementsOf(questions(page))).map(({ tag }) => tag)), new Set(["p", "br", "a"]));
    await questions(page).getByText(`<details open ontoggle="${attack}">`).waitFor();
    await page.locator("human-chat-thread", { hasText: "<script>" }).waitFor();
    await searchFor(page, "lantern");
    await page.locator("human-chat-thread .more").click();
    await button(page, en.chat.delete).click();
    await page.getByRole("dialog").getByText("<script>").waitFor();
    await button(page, en.shared.cancel).click().then(isUnharmed);
  });

  await t.step("in an answer, while it is written and afterwards", async () => {
    const { steps, goOn } = interrupted([...hostile, ...hostileMarkdown].join("\n\n"), "\n\nThe end. [1]");
    script(site, steps);
    await say(page, "How cold is a bedroom?");
    const answer = answers(page).last();
    await answer.getByText("fine", { exact: true }).waitFor();
    await isUnharmed();
    goOn();
    await endedAnswers(page).getByText("The end.").waitFor();
    const text = answer.locator(".text");
    const elements = await elementsOf(text);
    const tags = new Set(elements.map(({ tag }) => tag));
    for (const tag of ["script", "img", "svg", "style", "iframe", "form", "button", "details", "math", "b"]) {
      assert(!tags.has(tag), tag);
    }
    // Tags are read as they were written, and what stands for one stays that.
    await text.getByText(`<script>${attack}</script>`, { exact: true }).first().waitFor();
    await text.getByText("an image").waitFor();
    const links = await text.locator("a").evaluateAll((all) =>
      all.map((link) => [link.textContent, link.getAttribute("href"), link.getAttribute("rel")])
    );
    for (const [, href, rel] of links.filter(([, href]) => href !== null)) {
      assert(href!.startsWith("https://"), href!);
      assertEquals(rel, "noopener noreferrer nofollow ugc");
    }
    assertEquals(links.find(([words]) => words === "fine")?.[1], "https://example.com/page");
    assertEquals(links.find(([words]) => words === "a link")?.[1] ?? null, null);
    for (const attribute of elements.flatMap(({ attributes }) => attributes)) {
      assert(["href", "rel", "target", "align", "start", "class", "tabindex"].includes(attribute), attribute);
    }
    for (const link of await text.locator("a:not([href^='https:'])").all()) await link.dispatchEvent("click");
    await isUnharmed();
  });

  await t.step("in the name, the heading and the quote of a source", async () => {
    await button(answers(page).last(), filename).or(answers(page).last().locator(".chip")).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: filename }).waitFor();
    assertEquals(
      await dialog.locator("blockquote").textContent(),
      `A bedroom is cold and **not bold** and ${hostile[0]}`,
    );
    await page.keyboard.press("Escape");
    await isUnharmed();
  });

  await t.step("in what the expert has pinned", async () => {
    await pinAnswer(tenant, {
      question: "How wide may a bedroom window open at night?",
      answer: [...hostile, ...hostileMarkdown].join("\n\n"),
    });
    await say(page, "How wide may a bedroom window open at night?");
    await answers(page).last().and(page.locator(".pinned")).waitFor();
    await button(answers(page).last(), part(en.shared.hasSaid)).click();
    await page.getByRole("dialog").locator("blockquote").waitFor();
    await page.keyboard.press("Escape");
    assertEquals(
      await answers(page).last().locator(".text :is(script, img, svg:not(.copy svg), style, iframe, form)").count(),
      0,
    );
    await isUnharmed();
  });

  await t.step("a link of an answer opens a page of its own, which cannot reach back", async () => {
    const link = page.getByRole("link", { name: "fine" }).first();
    assertEquals(await link.getAttribute("target"), "_blank");
  });

  await t.step("an answer of 100,000 characters, which can be scrolled and copied", async () => {
    const long = "word ".repeat(20_000);
    const bold = `${"**".repeat(500)}${"[".repeat(2_000)}${"> ".repeat(200)}`;
    script(site, [{ text: long }, { text: `\n\n${bold}\n\nThe very end.` }]);
    await say(page, "Everything?");
    await endedAnswers(page).getByText("The very end.").waitFor();
    await button(answers(page).last(), en.chat.copy).click();
    await button(answers(page).last(), en.chat.copied).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assertEquals(copied.length, long.length + bold.length + "\n\n\n\nThe very end.".length);
    await isUnharmed();
  });

  await t.step("a word without an end does not push the page aside", async () => {
    script(
      site,
      `${"a".repeat(5_000)}\n\n\`${"b".repeat(5_000)}\`\n\n| ${"c".repeat(900)} | d |\n|---|---|\n| e | f |`,
    );
    await page.setViewportSize({ width: 390, height: 844 });
    await say(page, "q".repeat(3_000));
    await endedAnswers(page).getByText("aaaa").waitFor();
    const log = page.getByRole("log");
    assertEquals(await log.evaluate((it) => it.scrollWidth > it.clientWidth), false);
    assertEquals(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  });

  await t.step("in an answer that is nested too deeply: it is shown as it was written", async () => {
    for (const mark of ["> ", "* "]) {
      script(site, `${mark.repeat(4_000)}deep`);
      await say(page, "How deep?");
      await endedAnswers(page).last().getByText("deep").waitFor();
      await isUnharmed();
    }
  });
});

/** The elements of a text, without the buttons that copy code or open a source. */
function elementsOf(text: Locator): Promise<{ tag: string; attributes: string[] }[]> {
  return text.evaluate((it) =>
    [...it.querySelectorAll("*")].filter((element) => !element.closest(".copy, .citation"))
      .map((element) => ({ tag: element.localName, attributes: element.getAttributeNames() }))
  );
}
