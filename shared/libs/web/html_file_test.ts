import { readPassages } from "../documents/read_passages.ts";
import { readHtmlFile } from "./html_file.ts";
import { assert, assertEquals } from "../../../tests/support/assert.ts";

/** The text of a file, with the headings of its passages. */
async function textOf(html: string | Uint8Array): Promise<string> {
  const bytes = await readHtmlFile(typeof html === "string" ? new TextEncoder().encode(html) : html);
  const texts: string[] = [];
  for await (const { passages } of readPassages("html", bytes, null)) {
    for (const { heading, content } of passages) texts.push(...[heading, content].filter((text) => text !== null));
  }
  return texts.join("\n");
}

const cases: [name: string, html: string, text: string][] = [
  [
    "without its menu, header, footer and banner",
    '<nav><a href="/">Home</a></nav><header>Lamps for all</header><div class="cookie-banner">We use cookies.</div>' +
    "<p>Use a dry cloth, and no soap at all. Wait for an hour after the light is out.</p><footer>© Lampworks</footer>",
    "Use a dry cloth, and no soap at all. Wait for an hour after the light is out.",
  ],
  [
    "with the title that stands in its header",
    "<header><h1>Care &amp; use</h1><p>by Ada</p></header><p>Use a dry cloth, and no soap. Wait for an hour.</p>",
    "Care & use\nUse a dry cloth, and no soap. Wait for an hour.",
  ],
  [
    "with what is only not read aloud, as while a dialog is open, but without icons",
    '<div aria-hidden="true"><p>Use a dry cloth, and no soap.</p></div><div role="dialog">News?</div>' +
    '<p>Wait.<i aria-hidden="true">home</i></p>',
    "Use a dry cloth, and no soap.\n\nNews?\n\nWait.",
  ],
  [
    "without the address of a link that is too long to be written",
    `<p>Fill in the <a href="https://lamps.example/?q=${"a".repeat(600)}">form</a>.</p>`,
    "Fill in the form.",
  ],
  [
    "what it marks as its content",
    '<div>Buy now</div><main><header><h1>Care</h1><div class="a mw-portlet">Pflege</div></header>' +
    "<p>Use a dry cloth, and no soap. Wait for an hour after the light is out.</p></main>",
    "Care\nUse a dry cloth, and no soap. Wait for an hour after the light is out.",
  ],
  [
    "all of it, where what surrounds the content is most of it",
    '<div class="newsletter"><h1>May</h1><p>Oats are in season.</p></div><nav>Prices</nav><p>Bye.</p>',
    "May\nOats are in season.\n\nPrices\n\nBye.",
  ],
  [
    "all of it, where most of it stands in an open dialog and a list of commands",
    "<dialog open><h1>May</h1><p>Oats are in season.</p></dialog><menu><li>Rye bread</li></menu><p>Bye.</p>",
    "May\nOats are in season.\n\n- Rye bread\n\nBye.",
  ],
  [
    "without a closed dialog, however long, and without short ones beside it",
    "<dialog><p>Write to us about all that you want to know.</p></dialog><dialog open>News?</dialog>" +
    "<menu><li>Copy</li></menu><p>Use a dry cloth, and no soap at all.</p>",
    "Use a dry cloth, and no soap at all.",
  ],
  [
    "all of it, where the part that is marked is small",
    "<p>Oats have ten grams of fibre, rye has nine.</p><article>Wheat has some, too.</article><p>Rice has one gram.</p>",
    "Oats have ten grams of fibre, rye has nine.\n\nWheat has some, too.\n\nRice has one gram.",
  ],
  [
    "a text that a style calls a notice of privacy",
    '<div class="privacy-notice"><p>We keep addresses for a year.</p></div>',
    "We keep addresses for a year.",
  ],
  [
    "without what is hidden",
    '<p hidden>No1</p><p style="display: none">No2</p><p>Oats.</p><div><ix:header><ix:hidden>No3</ix:hidden></ix:header></div>',
    "Oats.",
  ],
  ["without a title that is hidden", '<h1 style="display: none">No</h1><p>Oats.</p>', "Oats."],
  [
    "without the hidden words of its title",
    "<nav><h1>Rye<i hidden> No</i></h1></nav><p>Oats have ten grams of fibre.</p>",
    "Rye\nOats have ten grams of fibre.",
  ],
  [
    "with the numbers of a report in their sentences",
    '<p>We sold <ix:nonFraction name="a">1,234</ix:nonFraction> lamps<o:p></o:p> in <st1:place>Graz</st1:place>.</p>',
    "We sold 1,234 lamps in Graz.",
  ],
  [
    "as XML, whose elements end in their start tags",
    '<?xml version="1.0"?><html><head><script src="a.js"/><title>No</title></head><body><p>Oats.</p></body></html>',
    "Oats.",
  ],
  [
    "with formulas, and what stands for pictures",
    '<p>It is <math><mi>E</mi><mo>=</mo><mi>m</mi><annotation>No</annotation></math>. <img src="a.png" alt="A lamp">' +
    "<svg><title>No</title><text>Sun</text><text>Moon</text></svg></p>",
    "It is E=m. [A lamp] Sun Moon",
  ],
  [
    "with answers that stand collapsed, and links as they are",
    '<h2>How long?</h2><div hidden>Ten years. See <a href="https://a.example/b?utm_source=c#d">this</a> and <a href="b">that</a>.</div>',
    "How long?\nTen years. See this (https://a.example/b?utm_source=c#d) and that.",
  ],
  ["with the lines of code", "<pre>a\n  b</pre>", "a\n  b"],
];

Deno.test("an HTML file is read", async (t) => {
  for (const [name, html, text] of cases) {
    await t.step(name, async () => assertEquals(await textOf(html), text));
  }

  await t.step("in UTF-16", async () => {
    const html = "\ufeff<p>Oats für alle</p>";
    assertEquals(await textOf(new Uint8Array(Uint16Array.from(html, (c) => c.charCodeAt(0)).buffer)), "Oats für alle");
  });

  await t.step("to its end, where a page of the web would be cut", async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `<tr><td>Oats ${i}</td><td>${i} &amp; 1</td></tr>`);
    const text = await textOf(`<nav>Menu</nav><table>${rows.join("")}</table>`);
    assert(text.startsWith("Oats 0 | 0 & 1\n") && text.endsWith("\nOats 19999 | 19999 & 1"), text.slice(-200));
  });

  await t.step("as it is, where it is built to take long", async () => {
    const bytes = new TextEncoder().encode("<nav>Menu</nav>" + "<p>a</p>".repeat(260_000));
    assertEquals(await readHtmlFile(bytes), bytes);
  });
});
