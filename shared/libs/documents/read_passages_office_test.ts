import { strToU8, zipSync } from "fflate";
import type { DocumentKind, Passage } from "./read_passages.ts";
import { readPassages, UnreadableDocument } from "./read_passages.ts";
import { assert, assertEquals, assertRejects } from "../../../tests/support/assert.ts";
import { epubOf, odtOf, pptxOf, sheetOf, xlsxOf } from "../../../tests/support/hostile_documents.ts";
import { readAll, readInterrupted } from "../../../tests/support/sample_documents.ts";

type Shown = [page: number | null, heading: string | null, content: string];
type Case = { kind: DocumentKind; bytes: Uint8Array; shown: Shown[]; warning?: string };

const related = (...targets: [id: string, kind: string, target: string][]) =>
  `<Relationships>${
    targets.map(([id, kind, target]) => `<Relationship Id="${id}" Type="t/${kind}" Target="${target}"/>`).join("")
  }</Relationships>`;

const text = (value: string, place?: string) =>
  `<p:sp><p:nvSpPr><p:nvPr>${place === undefined ? "" : `<p:ph type="${place}"/>`}</p:nvPr></p:nvSpPr>` +
  `<p:txBody><a:p><a:r><a:t>${value}</a:t></a:r></a:p></p:txBody></p:sp>`;
const numbered = (value: string, type: string, attributes = "", lvl = 0) =>
  `<a:p><a:pPr lvl="${lvl}"><a:buAutoNum type="${type}" ${attributes}/></a:pPr><a:r><a:t>${value}</a:t></a:r></a:p>`;
const slide = (shapes: string, attributes = "") => `<p:sld ${attributes}><p:spTree>${shapes}</p:spTree></p:sld>`;
/** Slides are shown in an order other than that of their names. */
const deck = (slides: string[], parts: Record<string, string> = {}) => {
  const ids = slides.map((_, i) => `s${slides.length - i}`);
  return pptxOf({
    "ppt/presentation.xml": `<p:presentation><p:sldIdLst>${
      ids.map((id, i) => `<p:sldId r:id="${id}" id="${256 + i}"/>`).join("")
    }</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": related(
      ...ids.map((id): [string, string, string] => [id, "slide", `slides/${id}.xml`]),
    ),
    ...Object.fromEntries(slides.map((xml, i) => [`ppt/slides/${ids[i]}.xml`, xml])),
    ...parts,
  });
};
const cell = (value: string, at = "", type = "inlineStr") =>
  `<c ${at && `r="${at}"`} t="${type}">${type === "inlineStr" ? `<is><t>${value}</t></is>` : `<v>${value}</v>`}</c>`;
const number = (value: number, style = 0, at = "") => `<c ${at && `r="${at}"`} s="${style}"><v>${value}</v></c>`;
const row = (cells: string, attributes = "") => `<row ${attributes}>${cells}</row>`;
const names = row(cell("Product") + cell("Price") + cell("Since"));
const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="#,##0.00\\ &quot;€&quot;"/></numFmts><cellXfs>${
  [0, 14, 164, 10].map((id) => `<xf numFmtId="${id}"/>`).join("")
}</cellXfs></styleSheet>`;
const workbook = (sheets: string, date1904 = false) =>
  `<workbook>${date1904 ? '<workbookPr date1904="1"/>' : ""}<sheets>${sheets}</sheets></workbook>`;

const cases: Record<string, Case> = {
  "slides in the order in which they are shown, each with its number, title and notes": {
    kind: "pptx",
    bytes: deck([slide(text("Oats") + text("Price", "title") + text("7", "sldNum")), slide(text("Eggs"))], {
      "ppt/slides/_rels/s2.xml.rels": related(["n", "notesSlide", "../notesSlides/n.xml"]),
      "ppt/notesSlides/n.xml": slide(text("Say it slowly.", "body") + text("2", "sldNum")),
    }),
    shown: [[1, "Price", "Oats\n\nSay it slowly."], [2, "Eggs", "Eggs"]],
  },
  "a table, a group and a link on a slide, but no struck text and nothing of the surroundings": {
    kind: "pptx",
    bytes: deck([slide(
      text("Menu", "ctrTitle") +
        `<p:grpSp><p:grpSp>${text("In a group")}</p:grpSp></p:grpSp>` +
        `<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Meal</a:t></a:r></a:p></a:txBody></a:tc><a:tc>` +
        `<a:txBody><a:p><a:r><a:t>kcal</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>` +
        `<p:sp><p:txBody><a:p><a:r><a:rPr strike="sngStrike"/><a:t>Old</a:t></a:r><a:r><a:t>New</a:t></a:r></a:p>` +
        `</p:txBody></p:sp>` + text("Footer", "ftr"),
    )]),
    shown: [[1, "Menu", "In a group\n\nMeal | kcal\n\nNew"]],
  },
  "the numbers of paragraphs, by levels": {
    kind: "pptx",
    bytes: deck([slide(
      `<p:sp><p:txBody>${
        numbered("Open it", "arabicPeriod") + numbered("Left", "alphaLcParenR", "", 1) +
        numbered("Right", "alphaLcParenR", "", 1) + numbered("", "arabicPeriod") + numbered("Wait", "arabicPeriod") +
        numbered("Above", "alphaLcParenR", "", 1) + numbered("Later", "romanUcParenBoth", 'startAt="4"') +
        "<a:p><a:r><a:t>Then</a:t></a:r></a:p>" + numbered("Anew", "arabicPeriod")
      }</p:txBody></p:sp>${text("Plain")}<p:sp><p:txBody>${numbered("Own", "arabicPeriod")}</p:txBody></p:sp>`,
    )]),
    shown: [[
      1,
      "Slide 1",
      "1. Open it\na) Left\nb) Right\n2. Wait\na) Above\n(IV) Later\nThen\n1. Anew\n\nPlain\n\n1. Own",
    ]],
  },
  "hidden slides are left out, and slides without text counted": {
    kind: "pptx",
    bytes: deck([slide("<p:pic/>"), slide(text("Margin 40 %"), 'show="0"'), slide(text("Shown"))]),
    shown: [[3, "Shown", "Shown"]],
    warning: "1 of 2 slides has no text; 1 hidden slide was left out",
  },
  "rows with the names of their columns, dates and numbers as they are shown": {
    kind: "xlsx",
    bytes: sheetOf(
      names + row(cell("Oats") + number(1234.5, 2) + number(46_145, 1)) + row(cell("Rye") + number(0.25, 3)),
      {
        "xl/styles.xml": styles,
      },
    ),
    shown: [[null, "Prices", "Product | Price | Since\nOats | 1,234.50 € | 2026-05-03\nRye | 25.00% |"]],
  },
  "a title above a table, merged cells, and the text of formulas": {
    kind: "xlsx",
    bytes: xlsxOf({
      "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${
        row(cell("Price list 2026", "A1")) + row("", 'r="2"') +
        row(cell("Kind", "A3") + cell("Product", "B3") + cell("Price", "C3") + cell("", "D3")) +
        row(cell("", "A4") + cell("", "B4") + cell("net", "C4") + cell("gross", "D4")) +
        row(cell("Nuts", "A5") + cell("Almonds", "B5") + cell("2.50", "C5", "str") + number(2.98, 0, "D5")) +
        row(cell("Walnuts", "B6") + number(3, 0, "C6") + cell("#N/A", "D6", "e"))
      }</sheetData><mergeCells><mergeCell ref="C3:D3"/><mergeCell ref="A5:A6"/></mergeCells></worksheet>`,
    }),
    shown: [[
      null,
      "Prices",
      "Price list 2026\n\nKind | Product | Price net | Price gross\n" +
      "Nuts | Almonds | 2.50 | 2.98\nNuts | Walnuts | 3 | #N/A",
    ]],
  },
  "shared strings without readings, truth, and the calendar of 1904": {
    kind: "xlsx",
    bytes: sheetOf(names + row(cell("0", "", "s") + cell("1", "", "b") + number(0, 1)), {
      "xl/workbook.xml": workbook('<sheet name="Prices" r:id="a" sheetId="1"/>', true),
      "xl/styles.xml": styles,
      "xl/sharedStrings.xml": "<sst><si><r><t>東</t></r><r><t>京 &amp;_x000D_</t></r><rPh><t>トウ</t></rPh></si></sst>",
    }),
    shown: [[null, "Prices", "Product | Price | Since\n東京 & | TRUE | 1904-01-01"]],
  },
  "hidden sheets, rows and columns are left out": {
    kind: "xlsx",
    bytes: xlsxOf({
      "xl/workbook.xml": workbook('<sheet name="Cost" state="hidden" r:id="b"/><sheet name="Prices" r:id="a"/>'),
      "xl/_rels/workbook.xml.rels": related(["a", "worksheet", "worksheets/sheet1.xml"], ["b", "worksheet", "b.xml"]),
      "xl/worksheets/sheet1.xml": `<worksheet><cols><col min="2" max="2" hidden="1"/></cols><sheetData>${
        row(cell("Product") + cell("Margin") + cell("Price")) + row(cell("Oats") + number(9) + number(2)) +
        row(cell("Rye") + number(8) + number(3), 'hidden="1"')
      }</sheetData></worksheet>`,
    }),
    shown: [[null, "Prices", "Product | | Price\nOats | | 2"]],
    warning: "1 hidden sheet was left out; 1 hidden row was left out; 1 hidden column was left out",
  },
  "headers and footers stand once, at the beginning": {
    kind: "odt",
    bytes: odtOf("<text:p>Oats.</text:p>", {
      "styles.xml": "<s><style:header-style/><style:header><text:p>Menu, version 7</text:p></style:header>" +
        "<style:header-first><text:p>Menu, version 7</text:p></style:header-first>" +
        "<style:footer><text:p>Page <text:page-number>1</text:page-number></text:p><text:p>Oat Café</text:p>" +
        "</style:footer ></s>",
    }),
    shown: [[null, null, "Menu, version 7\nOat Café\n\nOats."]],
  },
  "the text boxes of a sheet, and the titles of its charts, stand behind its rows": {
    kind: "xlsx",
    bytes: sheetOf(names, {
      "xl/worksheets/_rels/sheet1.xml.rels": related(["d", "drawing", "../drawings/drawing1.xml"]),
      "xl/drawings/drawing1.xml": "<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>Without</a:t></a:r>" +
        "<a:r><a:t> VAT.</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>",
      "xl/drawings/_rels/drawing1.xml.rels": related(["c", "chart", "../charts/chart1.xml"]),
      "xl/charts/chart1.xml": "<c:chart><c:title><c:tx><a:p><a:r><a:t>Sold in Riga</a:t></a:r></a:p></c:tx></c:title>" +
        "<c:ser><c:tx><c:v>Oats</c:v></c:tx><c:val><c:v>7</c:v></c:val></c:ser></c:chart>",
    }),
    shown: [[null, "Prices", "Product | Price | Since\n\nWithout VAT.\nSold in Riga"]],
  },
  "sheets have their own names, whatever stands between them": {
    kind: "xlsx",
    bytes: xlsxOf({
      "xl/workbook.xml": workbook('<sheet name="Chart" r:id="c"/><sheet name="A &amp; B" r:id="a"/>'),
      "xl/_rels/workbook.xml.rels": related(["c", "chartsheet", "c.xml"], ["a", "worksheet", "worksheets/sheet1.xml"]),
      "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${names}</sheetData></worksheet>`,
    }),
    shown: [[null, "A & B", "Product | Price | Since"]],
  },
  "a sheet with long names: each value has its own": {
    kind: "xlsx",
    bytes: sheetOf(
      row(cell("Item") + cell(`Price ${"x".repeat(190)}`) + cell(`Size ${"y".repeat(190)}`)) +
        row(cell("Oats") + number(2)),
    ),
    shown: [[null, "Prices", `Item: Oats | Price ${"x".repeat(190)}: 2`]],
  },
  "long names without a row": {
    kind: "xlsx",
    bytes: sheetOf(row(cell(`Price ${"x".repeat(190)}`) + cell(`Size ${"y".repeat(190)}`))),
    shown: [[null, "Prices", `Price ${"x".repeat(190)} | Size ${"y".repeat(190)}`]],
  },
  "sheets without anything": {
    kind: "xlsx",
    bytes: sheetOf(row("") + row(cell(" "))),
    shown: [],
  },
  "a sheet of questions and answers says what it could be": {
    kind: "csv",
    bytes: strToU8("Question,Answer\nWhen?,At nine\n"),
    shown: [[null, null, "Question | Answer\nWhen? | At nine"]],
    warning: "it has the columns question and answer: import it as answers to have these given word for word",
  },
  "CSV with semicolons, decimal commas, a title, quotes and line breaks, in Latin-1": {
    kind: "csv",
    bytes: Uint8Array.from(
      'Preisliste\r\n\r\nName;Preis\r\n"Müsli; ""fein""\n500 g";2,50\r\n5" Rohr;3,20\r\n',
      (c) => c.charCodeAt(0),
    ),
    shown: [[null, null, 'Preisliste\n\nName | Preis\nMüsli; "fein" 500 g | 2,50\n5" Rohr | 3,20']],
  },
  "CSV whose quotes never end": {
    kind: "csv",
    bytes: strToU8('\ufeffa\tb\n"c\td\n'),
    shown: [[null, null, 'a | b\n"c | d']],
  },
  "headings, lists, tables and notes of an ODT, without what was deleted": {
    kind: "odt",
    bytes: odtOf(
      "<text:tracked-changes><text:deletion><text:p>Gone</text:p></text:deletion></text:tracked-changes>" +
        '<text:h text:outline-level="1">Plan</text:h><text:p>Eat<text:s/>well<text:note><text:note-citation>1' +
        "</text:note-citation><text:note-body><text:p>Every day</text:p></text:note-body></text:note>.</text:p>" +
        '<text:list text:style-name="L"><text:list-item><text:p>Oats</text:p></text:list-item><text:list-item>' +
        "<text:p>Rye</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>Meal" +
        "</text:p></table:table-cell><table:table-cell><text:p>kcal</text:p></table:table-cell></table:table-row>" +
        "</table:table><office:annotation><text:p>Remark</text:p></office:annotation>",
      {
        "styles.xml": '<office:styles><text:list-style style:name="L"><text:list-level-style-number text:level="1" ' +
          'style:num-format="1" style:num-suffix=")"/></text:list-style></office:styles>',
      },
    ),
    shown: [[null, "Plan", "Eat well¹.\n\n¹ Every day\n\n1) Oats\n2) Rye\n\nMeal | kcal"]],
  },
  "chapters of an EPUB in the order of reading, with their names": {
    kind: "epub",
    bytes: epubOf("", {
      "META-INF/container.xml": '<container><rootfile full-path="OPS/a%20book.opf"/></container>',
      "OPS/a book.opf": "<package><metadata><dc:title>On Oats</dc:title></metadata><manifest>" +
        '<item id="2" href="two.xhtml"/><item id="1" href="text/one.xhtml"/><item id="n" href="toc.ncx"/></manifest>' +
        '<spine toc="n"><itemref idref="1"/><itemref idref="2"/></spine></package>',
      "OPS/toc.ncx": '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://x/ncx.dtd"><ncx><navPoint><navLabel>' +
        '<text>Morning</text></navLabel><content src="text/one.xhtml#a"/></navPoint></ncx>',
      "OPS/text/one.xhtml": `<html><head><title/><script/></head><body><p>${
        "Eat oats daily. ".repeat(30)
      }</p></body></html>`,
      "OPS/two.xhtml": `<body><h1>Evening</h1><p>${"Eat rye daily. ".repeat(30)}</p></body>`,
    }),
    shown: [
      [null, "Morning", `On Oats\n\n${"Eat oats daily. ".repeat(30).trim()}`],
      [null, "Evening", "Eat rye daily. ".repeat(30).trim()],
    ],
  },
  "a page with entities of its own, which are not filled in": {
    kind: "html",
    bytes: strToU8('<!DOCTYPE html [<!ENTITY a "&b;&b;"><!ENTITY b "Oats">]><p>&a; &amp; rye</p>'),
    shown: [[null, null, "]>\n\n&a; & rye"]],
  },
  "the numbers of a page's lists": {
    kind: "html",
    bytes: strToU8(
      "<ol><li>Open it<ul><li>Left</ul><li>Wait</ol><p>Then<ol start=41><li>Close it<li value=50>Lock it<li>Go</ol>",
    ),
    shown: [[null, null, "1. Open it\n- Left\n2. Wait\n\nThen\n\n41. Close it\n50. Lock it\n51. Go"]],
  },
  "headings and tables of a page, in the encoding that it names": {
    kind: "html",
    bytes: Uint8Array.from(
      '<meta charset="windows-1252"><title>Menu</title><h1>Caf\xe9</h1><table><tr><th>Meal<th>kcal<tr><td>Oats<td>370</table>',
      (c) => c.charCodeAt(0),
    ),
    shown: [[null, "Café", "Meal | kcal\nOats | 370"]],
  },
};

for (const [name, { kind, bytes, shown, warning }] of Object.entries(cases)) {
  Deno.test(`${kind.toUpperCase()}: ${name}`, async () => {
    const passages: Passage[] = [];
    let told: string | undefined;
    for await (const batch of readPassages(kind, bytes, null)) {
      passages.push(...batch.passages);
      told = batch.warning;
    }
    assertEquals(passages.map(({ page, heading, content }) => [page, heading, content]), shown);
    assertEquals(told, warning);
  });
}

const many = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i)).join("");
const long: Record<string, { kind: DocumentKind; bytes: Uint8Array; header?: string }> = {
  "a sheet of 10,000 rows": {
    kind: "xlsx",
    bytes: sheetOf(names + many(10_000, (i) => row(cell(`Oats ${i}`) + number(i)))),
    header: "Product | Price | Since",
  },
  "a table of 20,000 rows in CSV": {
    kind: "csv",
    bytes: strToU8(`Name,Price\n${many(20_000, (i) => `"Oats\n${i}",${i}\n`)}`),
    header: "Name | Price",
  },
  "a text of 20,000 paragraphs": { kind: "odt", bytes: odtOf(many(20_000, (i) => `<text:p>Oats ${i}</text:p>`)) },
  "a book of 20,000 paragraphs": { kind: "epub", bytes: epubOf(many(20_000, (i) => `<p>Oats ${i}</p>`)) },
  "a page of 20,000 elements": { kind: "html", bytes: strToU8(many(20_000, (i) => `<p>Oats ${i}</p>`)) },
  "300 slides": { kind: "pptx", bytes: deck(Array.from({ length: 300 }, (_, i) => slide(text(`Oats ${i}`)))) },
};
for (const [name, { kind, bytes, header }] of Object.entries(long)) {
  Deno.test(`${name} gives the same passages wherever reading is interrupted, none without its names`, async () => {
    const { passages, bookmarks } = await readAll(kind, bytes);
    assert(bookmarks.length > 1, String(bookmarks.length));
    assertEquals(await readInterrupted(kind, bytes), passages);
    const all = passages.map(({ content }) => content).join("\n");
    for (const i of [0, 1, 150, 299]) assert(new RegExp(`Oats ${i}\\b`).test(all), `${i}`);
    if (header !== undefined) { for (const { content } of passages) assert(content.startsWith(header), content); }
  });
}

const bomb = (name: string, parts: Record<string, Uint8Array>) => {
  const huge = new Uint8Array(60_000_000).fill(32);
  return zipSync({ ...parts, [name]: huge });
};
const unreadable: Record<string, [DocumentKind, () => Uint8Array, sentence: string]> = {
  "an archive that is none": ["xlsx", () => strToU8("hello"), "The file is damaged"],
  "a file with a password": ["pptx", () => Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 1, 2), "The file is encrypted"],
  "an ODT with a password": [
    "odt",
    () => odtOf("a", { "META-INF/manifest.xml": "<m><manifest:encryption-data /></m>" }),
    "The file is encrypted",
  ],
  "a book that belongs to a reader's key": [
    "epub",
    () => epubOf("a", { "META-INF/encryption.xml": '<e><CipherReference URI="a.xhtml"/></e>' }),
    "The file is encrypted",
  ],
  ...Object.fromEntries(
    ([["xlsx", "xl/worksheets/sheet1.xml"], ["pptx", "ppt/slides/slide1.xml"], ["odt", "content.xml"], [
      "epub",
      "a.xhtml",
    ]] as [DocumentKind, string][]).map(([kind, name]) => [
      `a bomb as ${kind}`,
      [kind, () => bomb(name, {}), "The file holds or unpacks to more text than can be read"],
    ]),
  ),
  "a long text in every cell": [
    "xlsx",
    () =>
      sheetOf(many(3_000, () => row(cell("0", "", "s"))), {
        "xl/sharedStrings.xml": `<sst><si><t>${"a".repeat(30_000)}</t></si></sst>`,
      }),
    "The file holds or unpacks to more text than can be read",
  ],
  "100,000 columns": [
    "csv",
    () => strToU8("a,".repeat(100_000)),
    "The file holds or unpacks to more text than can be read",
  ],
  "cells beyond any sheet": [
    "xlsx",
    () => sheetOf(row(cell("a", "ZZZZ1"))),
    "The file holds or unpacks to more text than can be read",
  ],
  ...Object.fromEntries(
    ([
      ["odt", (xml) => odtOf("", { "content.xml": xml })],
      ["xlsx", (xml) => xlsxOf({ "xl/worksheets/sheet1.xml": xml })],
      ["pptx", (xml) => deck([xml])],
      ["epub", (xml) => epubOf("a", { "a.opf": xml })],
    ] as [DocumentKind, (xml: string) => Uint8Array][]).map(([kind, pack]) => [
      `a document type with entities as ${kind}`,
      [kind, () => pack('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), "The file is damaged"],
    ]),
  ),
  ...Object.fromEntries(
    ([
      ["pptx", "a:p", (xml) => deck([slide(xml)])],
      ["xlsx", "c", (xml) => sheetOf(row(xml))],
      ["odt", "text:list", odtOf],
      ["epub", "div", epubOf],
      ["html", "div", strToU8],
    ] as [DocumentKind, string, (xml: string) => Uint8Array][]).map(([kind, name, pack]) => [
      `elements in elements as ${kind}`,
      [
        kind,
        () => pack(`<${name}>`.repeat(1_000) + `</${name}>`.repeat(1_000)),
        "The file holds or unpacks to more text than can be read",
      ],
    ]),
  ),
};
for (const [name, [kind, make, sentence]] of Object.entries(unreadable)) {
  Deno.test(`${name} ends with a sentence`, async () => {
    const error = await assertRejects(() => readAll(kind, make()), UnreadableDocument);
    assertEquals(error.message, sentence);
  });
}
