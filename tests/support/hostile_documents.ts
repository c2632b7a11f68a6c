import { strToU8, zipSync } from "fflate";
import type { DocumentKind } from "../../shared/libs/documents/read_passages.ts";
import { docxFiles, makePdf, makePdfOfStreams, packed, showLines, wordParagraph } from "./sample_documents.ts";

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** A place in a document where an attacker can put any text. */
type Place = { kind: DocumentKind; fill: (text: string) => Uint8Array };

/** A PDF file that is the text alone, and ends as `defusePdf` expects it. */
export const barePdf = (text: string) => bytesOf(`%PDF-1.7\n${text}\nendobj\nstartxref\n9\n%%EOF\n`);

const pagesOf = (font: string) => ({
  1: "<< /Type /Catalog /Pages 2 0 R >>",
  2: "<< /Type /Pages /Count 1 /Kids [10 0 R] >>",
  3: font,
  10: "<< /Type /Page /Parent 2 0 R /Contents 11 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
});

const pdfPlaces: Record<string, (text: string) => Uint8Array> = {
  "a PDF file": (text) => barePdf(`1 0 obj\n${text}`),
  "a dictionary": (text) => barePdf(`1 0 obj\n<< /A ${text} >>\nstream\nx\nendstream`),
  "a stream": (text) => barePdf(`1 0 obj\n<< /Length 0 >>\nstream\n${text}\nendstream`),
  "a character map": (text) => barePdf(`1 0 obj\n<< /Length 0 >>\nstream\n1 beginbfrange\n${text}\nendstream`),
  "digits": (text) => barePdf(`1 0 obj\n<< /Filter /ASCII85Decode >>\nstream\n${text}\nendstream`),
  "packed objects": (text) => makePdf({ 1: packed(bytesOf(`5 0 << ${text}`), "/FlateDecode /N 1 /First 4") }),
  "a page": (text) => makePdfOfStreams([packed(bytesOf(`BT /F1 9 Tf (a) Tj ${text}`))]),
  "the text of a page": (text) => makePdfOfStreams([packed(showLines([text.slice(0, 5_000)]))]),
  "a font's character map": (text) =>
    makePdf({
      ...pagesOf("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 12 0 R >>"),
      11: packed(showLines(["a"])),
      12: packed(bytesOf(`1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange\n${text}`)),
    }),
};

/** A DOCX file with some of its parts replaced. */
export const docxOf = (parts: Record<string, string>) =>
  zipSync({
    ...docxFiles(wordParagraph("a")),
    ...Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])),
  });
const word = (body: string, before = "") =>
  docxOf({ "word/document.xml": `<w:document xmlns:w="w">${before}<w:body>${body}</w:body></w:document>` });

const withChunk = (name: string, text: string) =>
  docxOf({
    "word/document.xml": `<w:document xmlns:w="w"><w:body><w:altChunk r:id="a"/></w:body></w:document>`,
    "word/_rels/document.xml.rels":
      `<Relationships><Relationship Id="a" Type="t/aFChunk" Target="${name}"/></Relationships>`,
    [`word/${name}`]: text,
  });

const docxPlaces: Record<string, (text: string) => Uint8Array> = {
  "a DOCX body": (text) => word(text),
  "a paragraph": (text) => word(`<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`),
  "a tag": (text) => word(`<w:p a="${text}`),
  "what stands before the body": (text) => word("", text),
  "styles": (text) => docxOf({ "word/styles.xml": `<w:styles xmlns:w="w">${text}</w:styles>` }),
  "relationships": (text) => docxOf({ "_rels/.rels": text }),
  "a page of the web in it": (text) => withChunk("chunk.htm", text),
  "a saved page in it": (text) => withChunk("chunk.mht", text),
};

/** A packed document whose parts are given as text. */
const packedOf = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
const related = (...relationships: [id: string, kind: string, target: string][]) =>
  `<Relationships>${
    relationships.map(([id, kind, target]) => `<Relationship Id="${id}" Type="t/${kind}" Target="${target}"/>`).join("")
  }</Relationships>`;

/** A PPTX file of one slide, with some of its parts replaced. */
export const pptxOf = (parts: Record<string, string>) =>
  packedOf({
    "_rels/.rels": related(["a", "officeDocument", "ppt/presentation.xml"]),
    "ppt/presentation.xml": '<p:presentation><p:sldIdLst><p:sldId id="1" r:id="a"/></p:sldIdLst></p:presentation>',
    "ppt/_rels/presentation.xml.rels": related(["a", "slide", "slides/slide1.xml"]),
    ...parts,
  });
/** An XLSX file of one sheet, with some of its parts replaced. */
export const xlsxOf = (parts: Record<string, string>) =>
  packedOf({
    "_rels/.rels": related(["a", "officeDocument", "xl/workbook.xml"]),
    "xl/workbook.xml": '<workbook><sheets><sheet name="Prices" sheetId="1" r:id="a"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": related(["a", "worksheet", "worksheets/sheet1.xml"]),
    ...parts,
  });
export const sheetOf = (rows: string, parts: Record<string, string> = {}) =>
  xlsxOf({ "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`, ...parts });
export const odtOf = (body: string, parts: Record<string, string> = {}) =>
  packedOf({
    "content.xml": `<office:document-content><office:body><office:text>${body}</office:text></office:body>` +
      "</office:document-content>",
    ...parts,
  });
/** An EPUB file of one chapter, with some of its parts replaced. */
export const epubOf = (chapter: string, parts: Record<string, string> = {}) =>
  packedOf({
    "META-INF/container.xml": '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
    "a.opf": '<package><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
    "a.xhtml": chapter,
    ...parts,
  });

const slideOf = (text: string) => pptxOf({ "ppt/slides/slide1.xml": text });
const packedPlaces: Record<string, Place> = {
  "a slide": { kind: "pptx", fill: slideOf },
  "a text of a slide": {
    kind: "pptx",
    fill: (text) =>
      slideOf(`<p:sld><p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:sld>`),
  },
  "a presentation": { kind: "pptx", fill: (text) => pptxOf({ "ppt/presentation.xml": text }) },
  "a sheet": { kind: "xlsx", fill: (text) => xlsxOf({ "xl/worksheets/sheet1.xml": text }) },
  "rows of a sheet": { kind: "xlsx", fill: sheetOf },
  "a cell": { kind: "xlsx", fill: (text) => sheetOf(`<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`) },
  "what is behind the rows": {
    kind: "xlsx",
    fill: (text) => xlsxOf({ "xl/worksheets/sheet1.xml": `<worksheet><sheetData/>${text}</worksheet>` }),
  },
  "shared strings": {
    kind: "xlsx",
    fill: (text) => sheetOf('<row><c t="s"><v>0</v></c></row>', { "xl/sharedStrings.xml": `<sst><si>${text}` }),
  },
  "formats": {
    kind: "xlsx",
    fill: (text) =>
      sheetOf('<row><c s="0"><v>1</v></c></row>', { "xl/styles.xml": `<styleSheet>${text}</styleSheet>` }),
  },
  "a workbook": { kind: "xlsx", fill: (text) => xlsxOf({ "xl/workbook.xml": text }) },
  "an ODT text": { kind: "odt", fill: odtOf },
  "ODT styles": { kind: "odt", fill: (text) => odtOf("", { "styles.xml": text }) },
  "a chapter": { kind: "epub", fill: epubOf },
  "a book": { kind: "epub", fill: (text) => epubOf("", { "a.opf": `<package>${text}</package>` }) },
  "a page": { kind: "html", fill: (text) => strToU8(`<html><body>${text}`) },
  "a table in CSV": { kind: "csv", fill: strToU8 },
  "a table in CSV with names": { kind: "csv", fill: (text) => strToU8(`Name,Price\n${text}`) },
};

const places: Record<string, Place> = Object.fromEntries([
  ...Object.entries(pdfPlaces).map(([name, fill]) => [name, { kind: "pdf", fill }]),
  ...Object.entries(docxPlaces).map(([name, fill]) => [name, { kind: "docx", fill }]),
  ...Object.entries(packedPlaces),
  ["Markdown", { kind: "md", fill: strToU8 }],
  ["text", { kind: "txt", fill: strToU8 }],
  ["front matter", { kind: "md", fill: (text: string) => strToU8(`---\n${text}`) }],
]);

const xmlUnits = [
  ..."<>&\"'=/ \n]a",
  ...["<a ", "<a b='", '" a="', "</", "<!--", "<![CDATA[", "<?", "&#", "&amp", "<!", "<a/>", "<a></a>", "_x0041_"],
  '<a b="<a c" d="',
];
const htmlUnits = [...xmlUnits, "<p>", "<table><tr><td>", "<li>", "<div>", "<a href=a>", "<h1>", "<br>", "<b><i>"];

/**
 * Syntax of the formats: complete tokens, and almost complete ones. Repeated, it meets each pattern where that is
 * slowest.
 */
export const hostileUnits: Readonly<Record<DocumentKind, readonly string[]>> = {
  pdf: [
    ..."%<>()\\/[]{}#0aR~ \n\r\0",
    ...["<<", ">>", "[ ", "(\\", "/a ", "<a ", "% ", "%\n", "\n%", "1 ", "1 0 ", "1 0 R ", "1 0%\n", "1 %1\n"],
    ...["1 0 obj", "endobj ", "1 0 obj<<>>stream", "1 0 obj<<>>stream\n", "1 0 obj<</Length -9>>stream\n"],
    ...["1 0 obj<</Length 99999>>stream\n", "1 0 obj<</Filter/Fl>>stream\n\r\n", "stream\n", "stream ", "endstream "],
    ...["1 0 obj<</Filter/A85>>stream\n", "/Encrypt ", "startxref ", "trailer<<", "xref\n", "beginbfrange<"],
    ...["beginbfrange[", "<00> <01>", "<00> <01> [", "(", "(a) Tj ", "q ", "BT ", "[(a)] TJ ", "BI ID ", "/F1 9 Tf "],
  ],
  docx: [
    ..."<>&\"'=/ \n\r]a\u2028\u2029",
    ...[
      "<w:body ",
      "<w:body>",
      "<a ",
      "<a b='",
      '" a="',
      "</",
      "</w:p>",
      "<!--",
      "<![CDATA[",
      "<?",
      "&#",
      "&amp",
      "<!",
    ],
    ...["<w:p>", "<w:p/>", "<w:p></w:p>", "<w:tbl>", "<w:tbl><w:tr>", "<w:tc></w:tc>", "<w:r><w:t>a</w:t></w:r>"],
    ...[
      '<a b="<a c" d="',
      "<w:p xmlns:a='a'/>",
      "<w:r><w:tab/></w:r>",
      "<w:r><w:br/></w:r>",
      "a\u2029",
      ". ",
      "<w:sdt>",
    ],
    ...['<A B/relationships/officeDocument"', '/relationships/officeDocument"', ' Target="'],
  ],
  pptx: [
    ...xmlUnits,
    ...["<p:sp><p:txBody><a:p>", "<a:p/>", "<a:r><a:t>a</a:t></a:r>", "<a:tbl><a:tr><a:tc>", "<a:br/>", "<p:grpSp>"],
    ...['<p:sldId id="1" r:id="a"/>', "<mc:Fallback>", "<m:oMath>"],
  ],
  xlsx: [
    ...xmlUnits,
    ...["<row>", "<row/>", "</row>", "<row></row>", "<c><v>1</v></c>", '<c r="A1"/>', '<c t="s"><v>0</v></c>', "<si>"],
    ...[
      "<si><t>a</t></si>",
      "<rPh>",
      "<r><t>a</t></r>",
      '<mergeCell ref="A1:XFD9999"/>',
      '<xf numFmtId="9"/>',
      "<cellXfs>",
    ],
    ...['<numFmt numFmtId="0" formatCode="0"/>', '<sheet name="a" r:id="a"/>', '<row><c r="XFD1"><v>1</v></c></row>'],
  ],
  odt: [
    ...xmlUnits,
    ...["<text:p>", "<text:p/>", "<text:p>a</text:p>", "<text:list><text:list-item>", "<text:span>", "<text:note>"],
    ...["<table:table>", "<table:table><table:table-row><table:table-cell>", "<text:s/>", "<text:tracked-changes>"],
    ...['<style:style style:name="a" style:parent-style-name="a"/>', "<text:h>a</text:h>", '<draw:object href="a"/>'],
  ],
  epub: [...htmlUnits, '<item id="a" href="a.xhtml"/>', '<itemref idref="a"/>', "<title/>"],
  html: htmlUnits,
  csv: [...'",;\t\n\r a1=', ...[
    '""',
    '"",',
    ',"',
    '"a"',
    ",\n",
    "a,",
    'a,"b",',
    '"a,""b"\n',
    "\n\n",
    "a;1,5\n",
    "sep=;\n",
  ]],
  md: [
    ..."#`~[]()!\"'-=>|*_.\n\t \u2028。)a",
    ...[
      "# ",
      "# a\n",
      "#\n\n",
      "![",
      "[](",
      '[](a "',
      "[a](b) ",
      "[a](b",
      "\n \n",
      "\n\n",
      ". ",
      ".' ",
      "a.\n",
      "- a\n",
    ],
    ...[
      "```\n",
      "~~~\n\n",
      "a\n---\n",
      "---\n",
      "...\n",
      "title:",
      "title: '",
      "# a \u2028",
      " #",
      "\r\n",
      "\f",
      "a\n\n\n",
    ],
  ],
  txt: [..." \n\t.!)\"'。\f\u2028\ra", ...[
    "\n ",
    " \n",
    "\n\n",
    ". ",
    ".) ",
    "a\n\n",
    "。」",
    "1. ",
    "\u00a0\n",
    "\r\n",
  ]],
};

/** A family of documents that only differ in their size. */
export type HostileFamily = { kind: DocumentKind; make: (length: number) => Uint8Array };

/** Documents in each place of which one thing is repeated for about `length` characters, by a name for each family. */
export const hostileDocuments: ReadonlyMap<string, HostileFamily> = new Map(
  Object.entries(places).flatMap(([name, { kind, fill }]) =>
    hostileUnits[kind].map((unit) => [
      `${name} of ${JSON.stringify(unit)}`,
      { kind, make: (length: number) => fill(repeatTo(length, unit)) },
    ])
  ),
);

/** A text of about `length` characters. */
export function repeatTo(length: number, unit: string): string {
  return unit.repeat(Math.ceil(length / unit.length));
}
