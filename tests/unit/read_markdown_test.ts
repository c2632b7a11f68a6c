import type { Token, Tokens } from "marked";
import { readCell, readMarkdown } from "../../shared/clients/page/ui/read_markdown.ts";
import { assert, assertEquals } from "../support/assert.ts";

/** What a text is read as: each mark as `type(content)`. */
function read(text: string): string | null {
  return readMarkdown(text)?.flatMap((block) => "tokens" in block ? block.tokens! : []).map(describe).join("") ?? null;
}

function describe(token: Token): string {
  const { type, raw } = token;
  if (type === "text") return (token as Tokens.Text).text;
  if (type === "link") return `link(${(token as Tokens.Link).href})`;
  return "tokens" in token && token.tokens ? `${type}(${token.tokens.map(describe).join("")})` : `${type}(${raw})`;
}

const cases: Record<string, [text: string, read: string]> = {
  "a single tilde is text": [
    "Between 3~5 days and 7~10 days, ~20 of them",
    "Between 3~5 days and 7~10 days, ~20 of them",
  ],
  "two tildes strike out": ["Pay ~~99~~ 79.", "Pay del(99) 79."],
  "bold Chinese before and after punctuation": [
    "请看**注意：**请勿打开**“电源”**。",
    "请看strong(注意：)请勿打开strong(“电源”)。",
  ],
  "bold Japanese": ["これは**「重要」**です。*強調*も", "これはstrong(「重要」)です。em(強調)も"],
  "an address before Chinese punctuation": ["见 https://a.test/x。下一句", "见 link(https://a.test/x)。下一句"],
  "an address in wide brackets": ["（https://a.test/y）看", "（link(https://a.test/y)）看"],
  "an address with letters of its own": ["https://a.test/東京?q=%20 x", "link(https://a.test/東京?q=%20) x"],
  "words with marks within them": [
    "a *b* __c__ d*e*f snake_case_name 2 * 3 * 4",
    "a em(b) strong(c) dem(e)f snake_case_name 2 * 3 * 4",
  ],
  "formulas within a line": [
    "So $x_1^2 + y$ is \\(\\frac{a}{b}\\), and **$f(x)$**.",
    "So formula($x_1^2 + y$) is formula(\\(\\frac{a}{b}\\)), and strong(formula($f(x)$)).",
  ],
  "a formula by itself within a paragraph": ["It is $$a*b*c$$ then", "It is formula($$a*b*c$$) then"],
  "prices and variables are text": [
    "From $5 to $10, US$5-$7, $20/month or $30/year, $HOME:$PATH, A$",
    "From $5 to $10, US$5-$7, $20/month or $30/year, $HOME:$PATH, A$",
  ],
  "code has no formulas": ["`$x^2$` and `\\(a\\)`", "codespan(`$x^2$`) and codespan(`\\(a\\)`)"],
  "HTML is text": ["<b>x</b><br>y", "<b>x</b><br>y"],
};

Deno.test("texts are read as Markdown", async (t) => {
  for (const [name, [text, expected]] of Object.entries(cases)) {
    await t.step(name, () => assertEquals(read(text), expected));
  }
  await t.step("<br> breaks lines within a cell, and nowhere else", () => {
    const [table] = readMarkdown("| a |\n|---|\n| x<br>y<BR/>**z** |") as Tokens.Table[];
    assertEquals(readCell(table!.rows[0]![0]!).map(describe).join(""), "xbr()ybr()strong(z)");
  });
});

Deno.test("formulas on lines of their own are blocks", () => {
  const blocks = readMarkdown("It is:\n$$\nx\n= 2\n\n- 1\n$$\n\\[ a_b \\]\nSo.");
  assertEquals(blocks?.map((block) => [block.type, (block as Tokens.Paragraph).text]), [
    ["paragraph", "It is:"],
    ["formula", "x\n= 2\n\n- 1"],
    ["formula", "a_b"],
    ["paragraph", "So."],
  ]);
});

/** Texts that take time in proportion to the square of their length, or more. */
const units = [
  "*a_",
  "_a*",
  "**a ",
  "~~a",
  "[a](",
  "![",
  "<a",
  "`a",
  "``a`",
  "> ",
  "1. ",
  "- a\n  ",
  "a\n\n",
  "。**あ",
  "$a",
  "$$a ",
  "\\[a",
  "a\n$$\n",
  "$a^ ",
];

Deno.test("a text that somebody has made to take long is shown as it was written", async (t) => {
  await t.step("the text that froze a page for half a minute", () => {
    assertEquals(readMarkdown(`Hello ${"*a_".repeat(10_660)}`), null);
    assertEquals(readMarkdown("> ".repeat(16_000)), null);
  });
  await t.step("every other one ends", () => {
    for (const unit of units) {
      for (const length of [9_000, 32_000]) readMarkdown(`Hello ${unit.repeat(length / unit.length)}`);
    }
  });
  await t.step("a long text of usual blocks is read", () => {
    const blocks = readMarkdown("A **bold** word, [a link](https://a.test) and `code`.\n\n".repeat(500));
    assert(blocks !== null && blocks.length >= 500, String(blocks?.length));
  });
});
