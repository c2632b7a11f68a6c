import { parseMarkdown } from "../documents/parse_markdown.ts";
import { fetchAddress } from "./fetch_address.ts";
import { type Page, readPage, UnreadablePage } from "./page.ts";
import { choosePageTitle } from "./page_title.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../../../tests/support/assert.ts";
import { startHostileSite } from "../../../tests/support/hostile_site.ts";
import { makePage, startTestSite } from "../../../tests/support/test_site.ts";

const url = "https://www.lampworks.example/docs/care.html";

function read(html: string): Promise<Page> {
  return readPage(new TextEncoder().encode(html), { url });
}

async function markdownOf(html: string): Promise<string> {
  return (await read(html)).markdown;
}

const sentence = "We have made lamps for forty years, in a small workshop by the river, with great patience.";

/** The content of a page, and its Markdown. */
const contents: [name: string, html: string, markdown: string][] = [
  [
    "headings keep their levels, and lose the signs of documentation",
    `<main><h1>API<a href="#api">¶</a></h1><p>One.</p><h2><a href="#calls">§</a>Calls <a href="#calls">#</a></h2><p>Two.</p><h4>Deep</h4><p>Three.</p></main>`,
    "# API\n\nOne.\n\n## Calls\n\nTwo.\n\n#### Deep\n\nThree.",
  ],
  [
    "a page without a heading gets its title",
    `<title>Care | Lampworks</title><p>Use a cloth.</p>`,
    "# Care\n\nUse a cloth.",
  ],
  [
    "lists",
    `<h1>L</h1><ul><li>One</li><li>Two<ol><li>A</li><li>B</li></ol></li></ul><ol><li><p>First</p><p>More</p></li><li></li><li>Last</li></ol>`,
    "# L\n\n- One\n- Two\n  1. A\n  2. B\n\n1. First\n\n   More\n\n3. Last",
  ],
  [
    "tables",
    `<h1>T</h1><table><caption>Ratings</caption><thead><tr><th>Name</th><th>Type</th></tr></thead><tbody><tr><td>a|b</td><td>x<br>y</td></tr><tr><td></td><td><ul><li>z</li></ul></td></tr></tbody></table>`,
    "# T\n\nRatings\n\n| Name | Type |\n| --- | --- |\n| a\\|b | x y |\n|  | - z |",
  ],
  [
    "tables that only arrange blocks",
    `<table><tr><td><h1>Left</h1><p>One.</p></td><td><p>Two.</p></td></tr></table>`,
    "# Left\n\nOne.\n\nTwo.",
  ],
  [
    "code",
    `<h1>C</h1><p>Call <code>a &lt; b</code> or <kbd>Esc</kbd>.</p><pre><code class="language-js hl">if (a &lt; 2) {\n  run("\`\`\`");\n}\n</code></pre><pre>plain<br>  <span>code</span></pre>`,
    '# C\n\nCall `a < b` or `Esc`.\n\n````js\nif (a < 2) {\n  run("```");\n}\n````\n\n```\nplain\n  code\n```',
  ],
  [
    "a layout that is named after its sidebar",
    `<h1>L</h1><nav>Home</nav><div class="content-sidebar-wrap"><p>${sentence}</p><aside>News</aside></div><p>By Ada.</p>`,
    `# L\n\n${sentence}\n\nBy Ada.`,
  ],
  [
    "a sidebar that is shorter than the rest is left out by its name",
    `<h1>L</h1><div class="content-sidebar"><p>News</p></div><p>${sentence}</p>`,
    `# L\n\n${sentence}`,
  ],
  [
    "links that are called an article are not the content",
    `<h1>L</h1><article><a href="#a">${sentence}</a> <a href="#b">${sentence}</a></article><p>Use a cloth.</p>`,
    `# L\n\n${sentence} ${sentence}\n\nUse a cloth.`,
  ],
  [
    "emphasis is text, and links are text with their addresses",
    `<h1>L</h1><p>See <a href="/a?b=1&amp;c=2">the <b>first</b> page</a>, <a href="javascript:alert(1)">this</a>, ` +
    `<a href="#top">the top</a>, <a href="mailto:a@b.example">us</a> and <em>snake_case</em>.</p>`,
    "# L\n\nSee the first page (https://www.lampworks.example/a?b=1&c=2), this, the top, us (mailto:a@b.example) and " +
    "snake_case.",
  ],
  [
    "of many links to the same site, only the text",
    `<h1>I</h1><p>${'<a href="/a">A</a> '.repeat(60)}<a href="https://other.example/b">B</a></p>`,
    `# I\n\n${"A ".repeat(60)}B (https://other.example/b)`,
  ],
  [
    "raised and lowered numbers, readings, and no struck text",
    `<h1>N</h1><p>10<sup>6</sup> CO<sub>2</sub> <ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby> ` +
    `<del>99</del> <ins>79</ins> <s>no</s></p>`,
    "# N\n\n10⁶ CO₂ 漢字(かんじ) 79",
  ],
  [
    "answers that stand collapsed behind their question",
    `<main><h1>F</h1><h2>How long?</h2><div hidden><p>Ten years.</p></div><h3>Who pays?</h3>` +
    `<div style="display:none">The buyer.</div><h3><button aria-expanded="false">May I?</button></h3>` +
    `<div aria-hidden="true">You may.</div><p>Shown.</p><div hidden>No</div></main>`,
    "# F\n\n## How long?\n\nTen years.\n\n### Who pays?\n\nThe buyer.\n\n### May I?\n\nYou may.\n\nShown.",
  ],
  [
    "a button that asks, with its answer; no menu behind another one",
    `<main><h1>B</h1><button>How long is it?</button><div hidden>Ten years.</div><button>Menu</button>` +
    `<ul hidden><li>No</li></ul></main>`,
    "# B\n\n## How long is it?\n\nTen years.",
  ],
  [
    "text that looks like Markdown or HTML stays text",
    `<h1>M</h1><p># No heading</p><p>a &lt;script&gt;alert(1)&lt;/script&gt; b</p><p>1 &lt; 2 &amp;&amp; 3</p><p>---</p><p>> said</p>`,
    "# M\n\n\\# No heading\n\na \\<script>alert(1)\\</script> b\n\n1 < 2 && 3\n\n\\---\n\n\\> said",
  ],
  [
    "questions that open their answers are headings",
    `<h1>FAQ</h1><h2>Care</h2><details><summary>How long?</summary><p>Ten years.</p></details>` +
    `<button aria-controls="p1">More</button><div id="p1" hidden><p>Longer.</p></div>`,
    "# FAQ\n\n## Care\n\n### How long?\n\nTen years.\n\nLonger.",
  ],
  [
    "parts of a page that stand behind others",
    `<main><h1>H</h1><ul role="tablist"><li role="tab">Summer</li><li role="tab">Winter</li></ul>` +
    `<div role="tabpanel">All days.</div><div role="tabpanel" hidden>On Sundays.</div></main>`,
    "# H\n\n- Summer\n- Winter\n\nAll days.\n\nOn Sundays.",
  ],
  [
    "a table with a title above the names of its columns",
    `<h1>T</h1><table><tr><th colspan="2">Boats</th></tr><tr><th>Name</th><th>Price</th></tr><tr><td>Gull</td><td>9</td></tr></table>`,
    "# T\n\nBoats\n\n| Name | Price |\n| --- | --- |\n| Gull | 9 |",
  ],
  [
    "definitions and quotations",
    `<h1>D</h1><dl><dt>Volt</dt><dd>A unit.</dd></dl><blockquote><p>Said.</p></blockquote>`,
    "# D\n\nVolt\nA unit.\n\n> Said.",
  ],
  [
    "nothing hidden",
    `<h1>H</h1><p>Shown.</p><p hidden>No1</p><div aria-hidden="true">No2</div><p style="color:red; DISPLAY : none">No3</p>` +
    `<span class="sr-only">No4</span><template>No5</template><noscript>No6</noscript><script>No7</script><style>No8</style>` +
    `<svg><title>No9</title><text>No10</text></svg><iframe>No11</iframe><button>No12</button><select><option>No13</select>` +
    `<textarea>No14</textarea><!-- No15 --><dialog open>No16</dialog><p hidden="until-found">Found.</p>`,
    "# H\n\nShown.\n\nFound.",
  ],
  [
    "nothing that surrounds it",
    `<header><p>No1</p><nav>No2</nav></header><div class="cookie-banner">No3</div><div id="onetrust-consent-sdk">No4</div>` +
    `<div role="navigation">No5</div><aside>No6</aside><div class="site-header">No7</div><ol class="breadcrumb"><li>No8</ol>` +
    `<h1>S</h1><p>Shown.</p><footer>No9</footer>`,
    "# S\n\nShown.",
  ],
  [
    "headers and asides of the content itself",
    `<main><article><header><h1>S</h1></header><p>Shown.</p><aside><p>Note.</p></aside><footer>No</footer></article></main>`,
    "# S\n\nShown.\n\nNote.",
  ],
  ["a page whose text is all in its header", `<header><h1>S</h1><p>Shown.</p></header>`, "# S\n\nShown."],
  [
    "a list of links",
    `<title>Links</title><ul><li><a href="/a">A</a></li><li><a href="/b">B</a></li></ul>`,
    "# Links\n\n- A (https://www.lampworks.example/a)\n- B (https://www.lampworks.example/b)",
  ],
  [
    "several articles",
    `<h1>News</h1><article><h2>One</h2><p>Text.</p></article><article><h2>Two</h2><p>${sentence}</p></article>`,
    `# News\n\n## One\n\nText.\n\n## Two\n\n${sentence}`,
  ],
  ["a form around everything", `<form><h1>F</h1><p>Shown.</p><input value="No"></form>`, "# F\n\nShown."],
  [
    "tags that are not closed or not known",
    `<h1>U</h1><div>One.<my-card>Two.</my-card><p>Three.<b>Four.`,
    "# U\n\nOne.\n\nTwo.\n\nThree.Four.",
  ],
  [
    "templates that are shown",
    `<h1>S</h1><my-card><template shadowrootmode="open"><p>Shown.</p></template></my-card>`,
    "# S\n\nShown.",
  ],
  ["nothing", "", ""],
  ["a page without text", `<title>Empty</title><body><img src="a.png"></body>`, ""],
];

Deno.test("the content of a page as Markdown", async (t) => {
  for (const [name, html, markdown] of contents) {
    await t.step(name, async () => assertEquals(await markdownOf(html), markdown));
  }

  await t.step("XHTML, whose elements end in their start tags", async () => {
    const html =
      `<html xmlns="http://www.w3.org/1999/xhtml"><head><script src="a.js"/><title>X</title></head><body><p>Shown.</p></body></html>`;
    const bytes = new TextEncoder().encode(html);
    const { markdown } = await readPage(bytes, { url, contentType: "application/xhtml+xml" });
    assertEquals(markdown, "# X\n\nShown.");
  });

  await t.step("headings become the places of passages", async () => {
    const { blocks } = parseMarkdown(await markdownOf(makePage({ title: "T", text: "A.\n\n<h2>Care</h2>\n\nB." })), {
      isBeginning: true,
      fence: undefined,
    });
    assertEquals(blocks.filter(({ text }) => text !== "").map(({ text, level }) => [text, level]), [
      ["T", 1],
      ["A.", null],
      ["Care", 2],
      ["B.", null],
    ]);
  });

  await t.step("gaps in preformatted text are shortened, and keep a line break", async () => {
    const space = " ".repeat(150);
    const html = `<h1>G</h1><pre>a  b\n${space}c${space}<i> </i>\n${space}d${space}e</pre>`;
    const [gap, rest] = [" ".repeat(100), " ".repeat(99)];
    assertEquals(await markdownOf(html), `# G\n\n\`\`\`\na  b\n${rest}c\nd${gap}e\n\`\`\``);
  });

  await t.step("code with backticks, and spaces at its ends", async () => {
    const html = `<h1>C</h1><p><code>\`a\`\` b</code> <code>c d</code></p><p><code>e\`</code></p>`;
    assertEquals(await markdownOf(html), "# C\n\n``` `a`` b ``` `c d`\n\n`` e` ``");
  });

  await t.step("Readability finds the content that nothing marks", async () => {
    const html = `<title>About</title><div class="top"><a href="/">Home</a> <a href="/shop">Shop</a></div>` +
      `<div class="wrap"><h1>Us</h1>${`<p>${sentence} ${sentence}</p>`.repeat(6)}</div>` +
      `<div class="links">${`<a href="/x">Buy our lamps now</a> `.repeat(10)}</div>`;
    assertEquals(await markdownOf(html), `# Us\n\n${Array(6).fill(`${sentence} ${sentence}`).join("\n\n")}`);
  });
});

Deno.test("the links of a page", async (t) => {
  const cases: [name: string, html: string, links: string[]][] = [
    [
      "also those in menus, hidden parts and footers, each once",
      `<nav><a href="/a">A</a></nav><p><a href="b.html#part">B</a><a href="/a?utm_source=x">A</a></p><footer hidden><a href="//other.example/c">C</a></footer>`,
      ["https://www.lampworks.example/a", "https://www.lampworks.example/docs/b.html", "https://other.example/c"],
    ],
    [
      "none that are no pages, or that should not be followed",
      `<a href="mailto:a@b.example">M</a><a href="javascript:x()">J</a><a href="tel:1">T</a><a href="#top">T</a><a>N</a><a href="/n" rel="ugc nofollow">N</a>` +
      `<a href="/p.JPG">P</a><a href="/s.css?x">S</a><a href="http://[">X</a><template><a href="/t">T</a></template><a href="/file.pdf">F</a>`,
      ["https://www.lampworks.example/t", "https://www.lampworks.example/file.pdf"],
    ],
    ["from the base", `<base href="https://base.example/x/"><base href="https://no.example/"><a href="a">A</a>`, [
      "https://base.example/x/a",
    ]],
    [
      "of pages in parts, and of pages that lead on",
      `<link rel="next" href="/2"><meta http-equiv="refresh" content="0; URL='/new'">`,
      [
        "https://www.lampworks.example/2",
        "https://www.lampworks.example/new",
      ],
    ],
    ["none where the page forbids it", `<meta name="robots" content="noindex, nofollow"><a href="/a">A</a>`, []],
  ];
  for (const [name, html, links] of cases) {
    await t.step(name, async () => assertEquals((await read(html)).links, links));
  }

  await t.step("its own address, and what search engines may do", async () => {
    const page = await read(
      `<link rel="canonical" href="/about?utm_source=x#y"><meta name="robots" content="noindex">`,
    );
    assertEquals([page.canonical, page.isUnlisted], ["https://www.lampworks.example/about", true]);
    assertEquals((await read(`<link rel="canonical" href="javascript:x">`)).canonical, null);
    assertEquals((await read("")).isUnlisted, false);
  });
});

Deno.test("the title of a page", () => {
  const cases: [titles: Partial<Parameters<typeof choosePageTitle>[0]>, title: string][] = [
    [{ document: "Care of lamps" }, "Care of lamps"],
    [{ document: "  Care\n of   lamps " }, "Care of lamps"],
    [{ document: "Care of lamps | Some Company" }, "Care of lamps"],
    [{ document: "Care of lamps – Lampworks GmbH" }, "Care of lamps"],
    [{ document: "Care of lamps - The Journal", site: "The Journal" }, "Care of lamps"],
    [{ document: "Lampworks: Care of lamps" }, "Lampworks: Care of lamps"],
    [{ document: "Lampworks | Care of lamps" }, "Care of lamps"],
    [{ document: "Volt - Ampere - Watt" }, "Volt - Ampere - Watt"],
    [{ document: "Care of lamps - Docs - v2", heading: "Care of lamps" }, "Care of lamps"],
    [{ document: "Care of lamps", heading: "Lampworks" }, "Care of lamps"],
    [{ document: "Lampworks", shared: "Care of lamps | Lampworks" }, "Care of lamps"],
    [{ document: "Care of lamps - The Lamp Book", outer: "The Lamp Book" }, "Care of lamps"],
    [
      { document: "The Lamp Book - Care of lamps", outer: "The Lamp Book", heading: "Care of lamps" },
      "The Lamp Book - Care of lamps",
    ],
    [{ heading: "Care of lamps" }, "Care of lamps"],
    [{ outer: "Care of lamps" }, "Care of lamps"],
    [{}, "care"],
    [{ document: "x".repeat(500) }, "x".repeat(200)],
  ];
  const none = { document: "", heading: "", outer: "", shared: "", site: "" };
  for (const [titles, title] of cases) assertEquals(choosePageTitle({ ...none, ...titles }, url), title);
  assertEquals(choosePageTitle(none, "https://lampworks.example/"), "lampworks.example");
  assertEquals(choosePageTitle(none, "https://lampworks.example/a/%C3%9Cber-uns/"), "Über uns");
  assertEquals(choosePageTitle(none, "https://lampworks.example/%E0%A4%A"), "%E0%A4%A");
});

Deno.test("the pages of a site, without their surroundings", async () => {
  await using site = await startTestSite({ topics: 1 });
  const options = { allowsPrivate: true, maxBytes: 1_000_000, signal: AbortSignal.timeout(20_000) };
  const found = await fetchAddress(`${site.url}/docs/topic-1`, options);
  assert(found.kind === "content");
  const { title, markdown, links } = await readPage(found.bytes, found);
  assertEquals(title, "Topic 1");
  assertStringIncludes(markdown, "## Assembly of model 1\n\nPut the base");
  assertEquals(/cookies|Menu|Related|Copyright|script text/.exec(markdown), null);
  assertEquals(links, ["/", "/docs/", "/news/", "/docs/topic-2"].map((path) => site.url + path));
});

Deno.test("files that are called pages, and pages in wrong encodings", async (t) => {
  await using site = startHostileSite();
  const get = async (path: string) => {
    const options = { allowsPrivate: true, maxBytes: 20_000_000, signal: AbortSignal.timeout(20_000) };
    const found = await fetchAddress(`${site.url}${path}`, options);
    assert(found.kind === "content");
    return readPage(found.bytes, found);
  };
  await t.step("a picture", async () => {
    const error = await assertRejects(() => get("/picture.html"), UnreadablePage);
    assertEquals(error.message, "The server calls it a web page, but it is a file of another kind");
  });
  await t.step("a PDF file", async () => {
    await assertRejects(() => read("%PDF-1.7\nand so on"), UnreadablePage);
  });
  await t.step("wrong labels", async () => {
    assertEquals((await get("/text/latin1-as-utf8")).title, "Grüße");
    for (const name of ["latin1-as-utf8", "utf8-as-latin1", "unknown-label"]) {
      assertStringIncludes((await get(`/text/${name}`)).markdown, "Die Straße führt über den Fluß.");
    }
    assertStringIncludes((await get("/text/meta-only")).markdown, "Привет");
  });
  await t.step("links in circles are named once", async () => {
    const { links } = await get("/cycle/a");
    assertEquals(links.map((link) => link.replace(site.url, "")), ["/cycle/a", "/cycle/b"]);
  });
  await t.step("eleven megabytes: the first part", async () => {
    const { isCut, markdown } = await get("/large.html");
    assert(isCut && markdown.length > 200_000 && markdown.length < 500_000);
  });
});

Deno.test("hostile pages take bounded time", async (t) => {
  const numbered = (count: number) => Array.from({ length: count }, (_, number) => `a${number}`).join(" ");
  const cases: Record<string, string> = {
    "100,000 nested blocks": "<div>".repeat(100_000) + "text",
    "nested blocks with stray ends": "<div>".repeat(390) + "</x>".repeat(1_000_000),
    "a million attributes": `<p ${numbered(1_000_000)}>text</p>`,
    "many tags with many attributes": `<p ${numbered(400)}>text</p>`.repeat(1_000),
    "many links": Array.from({ length: 50_000 }, (_, number) => `<a href="/${number}">link</a>`).join(" "),
    "open spans": "<span>a".repeat(100_000),
    "open sections": "<section>a".repeat(100_000),
    "many paragraphs": "<p>a, b</p>".repeat(100_000),
    "many line breaks": "text<br><br>".repeat(50_000),
    "many list items": `<ol>${"<li>a".repeat(50_000)}`,
    "nested lists": "<ul><li>a".repeat(1_000) + "<p>line</p>".repeat(20_000),
    "nested tables": "<table><tr><td>".repeat(1_000) + "x",
    "a wide table": `<table><tr>${"<td>a".repeat(50_000)}`,
    "a long table": `<table>${"<tr><td>a</td><td>b</td></tr>".repeat(20_000)}`,
    "a table of sections": `<table><tr><td>a</td></tr>${"<tbody></tbody><tr><td>a</td><td>b</td></tr>".repeat(20_000)}`,
    "brackets": "<".repeat(4_000_000),
    "ampersands": "&".repeat(4_000_000),
    "entities": "&lt;".repeat(1_000_000),
    "white space": `<p>${" \n".repeat(2_000_000)}x`,
    "one long text": `<p>${"word ".repeat(1_000_000)}`,
    "an open comment": `<p>text<!--${"-".repeat(4_000_000)}`,
    "an open script": `<p>text<script>${"</scrip ".repeat(500_000)}`,
    "an open attribute": `<p>text<a href="${"x".repeat(4_000_000)}`,
    "long titles": `<title>${"a | ".repeat(500_000)}</title><h1>${"- ".repeat(500_000)}</h1>`,
    "a gap in preformatted text": `<pre>a${" ".repeat(290_000)}b</pre>`,
    "gaps of many elements": `<pre>a${"<i> </i>\t&#32;".repeat(14_000)}b</pre>`,
    "line breaks in preformatted text": `<pre>a${"\n".repeat(290_000)}b</pre>`,
    "a gap at the end of a link": `<pre>a<a>b${" ".repeat(290_000)}&nbsp;</a>c</pre>`,
    "a command and long code": `<pre>$ <code> ${"word ".repeat(58_000)}x</code></pre>`,
    "lines that begin like a block of code": "<title>T</title>" + "<p><code>``a`</code> b</p>".repeat(12_000),
    "a heading of signs": `<h2>a${"#".repeat(290_000)}b</h2>`,
    "long classes": `<p class="${"cookie ".repeat(100_000)}" style="${"display ".repeat(100_000)}">text`,
  };
  for (const [name, html] of Object.entries(cases)) {
    await t.step(name, async () => {
      const start = performance.now();
      const page = await read(html).catch((error) => error);
      assert(page instanceof UnreadablePage || page.markdown.length < 1_000_000);
      // Each takes 0.6 s of CPU time at most; machines that are busy take longer.
      assert(performance.now() - start < 6_000, `${performance.now() - start} ms`);
    });
  }
});
