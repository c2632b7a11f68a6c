import type { Locator } from "playwright-core";
import { assertEquals } from "../support/assert.ts";
import { answers, button, endedAnswers, questions, say, script } from "./chat.ts";
import { openSite, visit } from "./site.ts";
import { en } from "./texts.ts";

/** Each piece of Markdown, and the elements that it becomes. */
const pieces: [written: string, shown: string][] = [
  ["# One\n\n## Two\n\n### Three\n\n#### Four", "<h3>One</h3><h4>Two</h4><h5>Three</h5><h6>Four</h6>"],
  [
    "**bold** *slanted* ~~gone~~ `a < b`",
    "<p><strong>bold</strong> <em>slanted</em> <del>gone</del> <code>a &lt; b</code></p>",
  ],
  ["One line\nand another", "<p>One line<br>and another</p>"],
  ["> Said\n> once", "<blockquote><p>Said<br>once</p></blockquote>"],
  ["3. three\n4. four\n   - inside", '<ol start="3"><li>three</li><li>four<ul><li>inside</li></ul></li></ol>'],
  ["- far\n\n- apart", "<ul><li><p>far</p></li><li><p>apart</p></li></ul>"],
  ["---", "<hr>"],
  ["- [x] done\n- [ ] to do", '<ul><li class="task">☑ done</li><li class="task">☐ to do</li></ul>'],
  ["R&amp;D, 5&nbsp;&lt; 6&#33; &#x2014; &unknown; \\*", "<p>R&amp;D, 5&nbsp;&lt; 6! — &amp;unknown; *</p>"],
  [
    "[a page](https://example.com/?a=1&amp;b=2) [a place](/inside) ![a picture](https://example.com/a.png)",
    '<p><a target="_blank" rel="noopener noreferrer nofollow ugc" href="https://example.com/?a=1&amp;b=2">a page</a> ' +
    "a place a picture</p>",
  ],
  [
    "| a | b |\n|:-:|---|\n| 1 | **2** |",
    '<table tabindex="0"><thead><tr><th align="center">a</th><th>b</th></tr></thead><tbody><tr><td align="center">1</td>' +
    "<td><strong>2</strong></td></tr></tbody></table>",
  ],
];

/** The elements of a text, without what stands between them in the page. */
async function elementsOf(text: Locator): Promise<string> {
  return await text.evaluate((it) => it.innerHTML.replace(/<!--.*?-->/g, "").replace(/\s*\n\s*/g, ""));
}

Deno.test("an answer in Markdown", async (t) => {
  await using site = await openSite();
  await using visitor = await visit(site.url, { permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = visitor;

  await t.step("becomes the elements that it describes", async () => {
    script(site, pieces.map(([written]) => written).join("\n\n"));
    await say(page, "Everything?");
    await endedAnswers(page).getByText("bold").waitFor();
    assertEquals(await elementsOf(answers(page).locator(".text")), pieces.map(([, elements]) => elements).join(""));
    assertEquals(visitor.errors, []);
  });

  await t.step("so does a question, with its line breaks; copied and edited, it is as it was written", async () => {
    await using other = await visit(site.url, { permissions: ["clipboard-read", "clipboard-write"] });
    script(site, "I see.");
    const written = pieces.map(([written]) => written).join("\n\n");
    await say(other.page, written);
    await endedAnswers(other.page).getByText("I see.").waitFor();
    assertEquals(await elementsOf(questions(other.page)), pieces.map(([, elements]) => elements).join(""));
    await questions(other.page).hover();
    const article = other.page.locator("article.question");
    await button(article, en.chat.copy).click();
    await button(article, en.chat.copied).waitFor();
    assertEquals(await other.page.evaluate(() => navigator.clipboard.readText()), written);
    await button(other.page, en.chat.edit).click();
    assertEquals(await other.page.getByRole("textbox", { name: en.chat.edit }).inputValue(), written);
    assertEquals(other.errors, []);
  });

  await t.step(
    "formulas are drawn by a script of its own; what is not allowed in one stays as it was written",
    async () => {
      // All but the first would keep a page busy for seconds, or for ever.
      const refused = [
        "\\href{https://a.test}{y}",
        `${"\\cancelto{a}{".repeat(3)}${"x".repeat(300)}}}}`,
        `${"\\llap{".repeat(60)}x${"}".repeat(60)}`,
        `\\def\\a#1{${"#1".repeat(300)}}\\a{\\a{${"x".repeat(300)}}}`,
      ].map((it) => `$${it}$`);
      const written = `It costs $5, $x^2$ or\n\n$$\\frac{1}{2}$$\n\nand ${refused.join(", ")}.`;
      script(site, written);
      await say(page, "Which formula?");
      const answer = endedAnswers(page).filter({ hasText: "It costs $5" });
      await answer.locator("math mfrac").waitFor();
      assertEquals(await answer.locator("math").count(), 2);
      assertEquals((await answer.locator(".formula").allTextContents()).slice(2), refused);
      await answer.hover();
      await button(answer, en.chat.copy).click();
      await button(answer, en.chat.copied).waitFor();
      assertEquals(await page.evaluate(() => navigator.clipboard.readText()), written);
      assertEquals(visitor.errors, []);
    },
  );

  await t.step("has a button that copies each block of code, and nothing else", async () => {
    script(site, "Run this:\n\n```sh\nls <here>\npwd\n```\n\nor `this`.");
    await say(page, "How?");
    const answer = endedAnswers(page).filter({ hasText: "Run this" });
    await button(answer, en.chat.copyCode).click();
    await button(answer, en.chat.copied).waitFor();
    assertEquals(await page.evaluate(() => navigator.clipboard.readText()), "ls <here>\npwd");
    assertEquals(await answer.locator(".text").getByRole("button").count(), 1);
  });

  await t.step(
    "code in a language has colors; in none, in an unknown one, or where it is long, it is plain",
    async () => {
      const code = 'const a = "</code><b>"; // x';
      const long = "1;\n".repeat(1_500).trimEnd();
      const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n\n`;
      script(site, fence("js", code) + fence("", code) + fence("elvish", code) + fence("js", long) + "All.");
      await say(page, "Which code?");
      const answer = endedAnswers(page).filter({ hasText: "All." });
      await answer.locator(".hljs-keyword").waitFor();
      const shown = answer.locator("pre code");
      assertEquals(await shown.first().textContent(), code);
      assertEquals(await shown.first().locator("span[class]").allTextContents(), ["const", '"</code><b>"', "// x"]);
      assertEquals(await shown.locator(".hljs-comment").count(), 1);
      assertEquals(await shown.last().textContent(), long);
      assertEquals(visitor.errors, []);
    },
  );
});
