import { zipSync } from "fflate";
import { concat } from "../base/std/bytes.ts";
import type { DocumentKind } from "./read_passages.ts";
import { createRandom, type Random } from "../../../tests/bench/soak/random.ts";
import { assert } from "../../../tests/support/assert.ts";
import {
  barePdf,
  docxOf,
  epubOf,
  hostileDocuments,
  hostileUnits,
  odtOf,
  pptxOf,
  sheetOf,
  xlsxOf,
} from "../../../tests/support/hostile_documents.ts";
import { createStoppableReader, type ReadingJob, type StoppableReader } from "../../../tests/support/reading.ts";
import {
  docxFiles,
  makeDocx,
  makePdfOfStreams,
  packed,
  sentences,
  showLines,
  wordParagraph,
} from "../../../tests/support/sample_documents.ts";
import { scans } from "../../../tests/support/scans.ts";
import { nightly, nightlyStep } from "../../../tests/support/slow.ts";

const latin1 = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);
const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
/** The name of the reader's own error. */
const damaged = "UnreadableDocument";

const small = 10_000;
const large = 10 * small;
/** Milliseconds, for scans and for whole documents. Less cannot be told from the noise of a busy machine. */
const noise = { scan: 10, document: 20 };
/** Ten times the text is ten times the work of a scanner that looks at each character a bounded number of times. */
const tolerated = 12;
/**
 * The work of regular expressions and libraries cannot be counted, so their time is measured: the least of several
 * runs, of up to three tries. If it grows with the square of the length, it is a hundred times as long. If it grows
 * exponentially, it never ends. Other tests on the same machine should not make this one fail.
 */
const suspicious = 40;

type Growth = { reader: StoppableReader; noise: number; jobOf: (length: number) => ReadingJob };

async function assertGrowth({ reader, noise, jobOf }: Growth): Promise<void> {
  const found: string[] = [];
  let [leastOfMany, leastOfFew] = [Infinity, Infinity];
  for (let tries = 0; tries < 3; tries++) {
    const many = await reader.read({ ...jobOf(large), enough: noise * tolerated });
    if (many.milliseconds <= noise * tolerated) return;
    const few = await reader.read({ ...jobOf(small), enough: noise });
    leastOfMany = Math.min(leastOfMany, many.milliseconds);
    leastOfFew = Math.min(leastOfFew, few.milliseconds);
    const ratio = leastOfMany / Math.max(leastOfFew, noise);
    if (ratio <= (tries < 2 ? tolerated : suspicious)) return;
    found.push(`${few.milliseconds} → ${many.milliseconds} ms`);
  }
  throw new Error(`Ten times the length takes much more than ten times as long: ${found.join(", ")}`);
}

Deno.test("everything that looks at the content of a file takes time in proportion to its length", async (t) => {
  using reader = createStoppableReader();
  for (const format of ["pdf", "docx", "md"] as const) {
    for (const scan of Object.keys(scans[format])) {
      await t.step(scan, async () => {
        for (const unit of hostileUnits[format]) {
          const jobOf = (length: number) => ({ format, scan, unit, length });
          await assertGrowth({ reader, noise: noise.scan, jobOf }).catch((error) => {
            throw new Error(`Of ${JSON.stringify(unit)}: ${error.message}`);
          });
        }
      });
    }
  }
});

Deno.test("reading a document takes time in proportion to its length", async (t) => {
  using reader = createStoppableReader();
  for (const document of hostileDocuments.keys()) {
    await nightlyStep(
      t,
      document,
      () => assertGrowth({ reader, noise: noise.document, jobOf: (length) => ({ document, length }) }),
    );
  }
});

/** Small files that kept the reader busy for seconds, minutes or for ever, and how they end. */
const attacks: Record<string, { kind: DocumentKind; bytes: () => Uint8Array; outcomes: string[] }> = {
  "a PDF file of 130 bytes: comments before what no object begins with": {
    kind: "pdf",
    bytes: () => barePdf(`1 0 obj\n${"%".repeat(60)}\n<ÿ>>\nstream\nx\nendstream`),
    outcomes: [damaged],
  },
  "a PDF file whose dictionary is comments": {
    kind: "pdf",
    bytes: () => barePdf(`1 0 obj\n<</A ${"% ".repeat(2_000)}\n<ÿ>>\nstream\nx\nendstream`),
    outcomes: [damaged],
  },
  "a character map of openings": {
    kind: "pdf",
    bytes: () => makePdfOfStreams([packed(bytesOf("beginbfrange[".repeat(300_000)))]),
    outcomes: ["empty"],
  },
  "numbers without an end": {
    kind: "pdf",
    bytes: () => makePdfOfStreams([packed(showLines(["a"]))], { 100: `[${"1".repeat(500_000)}]` }),
    outcomes: ["read"],
  },
  "references that end in comments": {
    kind: "pdf",
    bytes: () => makePdfOfStreams([packed(showLines(["a"]))], { 100: `[${"1 %".repeat(200_000)}\n]` }),
    outcomes: ["read"],
  },
  "streams in one line": {
    kind: "pdf",
    bytes: () => barePdf("1 0 obj<<>>stream".repeat(60_000)),
    outcomes: [damaged],
  },
  "streams whose length is negative, far from the first end": {
    kind: "pdf",
    bytes: () => barePdf(`${"a".repeat(500_000)}endstream${"1 0 obj<</Length -9999999>>stream\n".repeat(30_000)}`),
    outcomes: [damaged],
  },
  "a page of 49,000 lines": {
    kind: "pdf",
    bytes: () => makePdfOfStreams([packed(showLines(Array(49_000).fill("a")))]),
    outcomes: ["read", damaged],
  },
  "a page that never ends its graphics states": {
    kind: "pdf",
    bytes: () => makePdfOfStreams([packed(bytesOf(`BT /F1 9 Tf (a) Tj ${"q ".repeat(500_000)}`))]),
    outcomes: [damaged],
  },
  "a DOCX file of a kilobyte: bodies that never begin": {
    kind: "docx",
    bytes: () => docxOf({ "word/document.xml": "<w:body ".repeat(100_000) }),
    outcomes: [damaged],
  },
  "relationships without an end": {
    kind: "docx",
    bytes: () => docxOf({ "_rels/.rels": `<${'/relationships/officeDocument"'.repeat(30_000)}` }),
    outcomes: [damaged],
  },
  "many roots": {
    kind: "docx",
    bytes: () => docxOf({ "_rels/.rels": "<a/>".repeat(12_000) }),
    outcomes: [damaged],
  },
  "attributes in attributes": {
    kind: "docx",
    bytes: () => makeDocx(`<w:p ${Array.from({ length: 20_000 }, (_, i) => `a${i}="<a b${i}" `).join("")}>`),
    outcomes: [damaged],
  },
  "a paragraph separator after a long text": {
    kind: "docx",
    bytes: () => makeDocx(wordParagraph(`${"a".repeat(500_000)}\u2029b`)),
    outcomes: ["read"],
  },
  "20,000 kinds of elements": {
    kind: "docx",
    bytes: () =>
      docxOf({ "word/styles.xml": `<a>${Array.from({ length: 20_000 }, (_, i) => `<a${i}></a${i}>`).join("")}</a>` }),
    outcomes: ["read"],
  },
  "a million files": {
    kind: "docx",
    bytes: () => bytesOf(`PK\x03\x04${"\0".repeat(26)}`.repeat(400_000) + "PK\x05\x06" + "\0".repeat(18)),
    outcomes: [damaged],
  },
  "a row of long cells": {
    kind: "docx",
    bytes: () =>
      makeDocx(`<w:tbl><w:tr>${`<w:tc>${wordParagraph("a".repeat(400))}</w:tc>`.repeat(4_000)}</w:tr></w:tbl>`),
    outcomes: ["read"],
  },
  "a million rows": {
    kind: "xlsx",
    bytes: () => sheetOf("<row><c><v>1</v></c></row>".repeat(1_000_000)),
    outcomes: ["read"],
  },
  "a million rows without cells": {
    kind: "xlsx",
    bytes: () => sheetOf('<row r="1"/>'.repeat(1_000_000)),
    outcomes: ["empty"],
  },
  "a million rows of CSV": { kind: "csv", bytes: () => bytesOf("1,2\n".repeat(1_000_000)), outcomes: ["read"] },
  "a million rows of a page": {
    kind: "html",
    bytes: () => bytesOf(`<table>${"<tr><td>1".repeat(1_000_000)}`),
    outcomes: [damaged],
  },
  "a million paragraphs": {
    kind: "odt",
    bytes: () => odtOf("<text:p>1</text:p>".repeat(800_000)),
    outcomes: [damaged],
  },
  "a million paragraphs of a book": {
    kind: "epub",
    bytes: () => epubOf("<p>1".repeat(1_000_000)),
    outcomes: [damaged],
  },
  "a million lines of a slide": {
    kind: "pptx",
    bytes: () =>
      pptxOf({
        "ppt/slides/slide1.xml": `<p:sld><p:sp><p:txBody>${"<a:p/>".repeat(1_000_000)}</p:txBody></p:sp></p:sld>`,
      }),
    outcomes: [damaged],
  },
  "a row of 16,000 cells, merged with all below": {
    kind: "xlsx",
    bytes: () =>
      xlsxOf({
        "xl/worksheets/sheet1.xml": `<worksheet><sheetData><row>${
          '<c t="inlineStr"><is><t>a</t></is></c>'.repeat(16_000)
        }</row>${"<row><c><v>1</v></c></row>".repeat(20_000)}</sheetData>${
          Array.from({ length: 700 }, (_, i) => `<mergeCell ref="${columnName(i)}1:${columnName(i)}1048576"/>`).join("")
        }</worksheet>`,
      }),
    outcomes: ["read"],
  },
  "a chart on a slide, 50,000 times": {
    kind: "pptx",
    bytes: () =>
      pptxOf({
        "ppt/slides/slide1.xml": `<p:sld>${'<c:chart r:id="c"/>'.repeat(50_000)}</p:sld>`,
        "ppt/slides/_rels/slide1.xml.rels": '<Relationships><Relationship Id="c" Target="c.xml"/></Relationships>',
        "ppt/slides/c.xml": `<c:chart>${"<c:ser><c:tx><c:v>a</c:v></c:tx></c:ser>".repeat(1_000)}</c:chart>`,
      }),
    outcomes: [damaged],
  },
  "styles that inherit from each other": {
    kind: "odt",
    bytes: () =>
      odtOf('<text:p text:style-name="a">a</text:p>'.repeat(20_000), {
        "styles.xml": '<a><style:style style:name="a" style:parent-style-name="b"/>' +
          '<style:style style:name="b" style:parent-style-name="a"/></a>',
      }),
    outcomes: ["read"],
  },
  "a formula in a text, 50,000 times": {
    kind: "odt",
    bytes: () =>
      odtOf(`<text:p>${'<draw:object xlink:href="./Object 1"/>'.repeat(50_000)}</text:p>`, {
        "Object 1/content.xml": `<math>${"<a/>".repeat(50_000)}<annotation>x</annotation></math>`,
      }),
    outcomes: [damaged],
  },
  "a book whose chapters are one": {
    kind: "epub",
    bytes: () =>
      epubOf("<p>a</p>", {
        "a.opf": `<package><item id="a" href="a.xhtml"/>${'<itemref idref="a"/>'.repeat(60_000)}</package>`,
      }),
    outcomes: ["read"],
  },
  "elements in elements of a page": {
    kind: "html",
    bytes: () => bytesOf("<div>".repeat(200_000)),
    outcomes: ["empty", "read", damaged],
  },
  "quotes that never end": {
    kind: "csv",
    bytes: () => bytesOf('a,"b""\n'.repeat(300_000)),
    outcomes: ["read"],
  },
  "readings of a shared string that never end": {
    kind: "xlsx",
    bytes: () =>
      sheetOf('<row><c t="s"><v>0</v></c></row>', {
        "xl/sharedStrings.xml": `<sst><si><t>a</t>${"<rPh><t>b</t>".repeat(200_000)}</si></sst>`,
      }),
    outcomes: ["read", damaged],
  },
  "a heading of blanks": {
    kind: "md",
    bytes: () => bytesOf(`# ${" ".repeat(1_000_000)}\u00a0\n`),
    outcomes: ["read", "empty"],
  },
};

Deno.test("small files that are made to keep the reader busy end in time", async (t) => {
  using reader = createStoppableReader();
  for (const [name, { kind, bytes, outcomes }] of Object.entries(attacks)) {
    await t.step(name, async () => {
      const { outcome } = await reader.read({ kind, bytes: bytes(), enough: Infinity });
      assert(outcomes.includes(outcome), outcome);
    });
  }
});

function columnName(index: number): string {
  return (index < 26 ? "" : columnName(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + index % 26);
}

/** One change somewhere in a file, as an attacker or a broken disk makes it. */
function mutate(bytes: Uint8Array, { kind, random }: { kind: DocumentKind; random: Random }): Uint8Array {
  const place = () => Math.floor(random.number() * bytes.length);
  const [from, to, at] = [place(), place(), place()];
  const unit = bytesOf(random.pick(hostileUnits[kind]));
  const part = random.weigh<() => Uint8Array>([
    [3, () => Uint8Array.of(Math.floor(random.number() * 256))],
    [3, () => bytes.slice(Math.min(from, to), Math.min(Math.max(from, to), Math.min(from, to) + 200))],
    [2, () => concat(Array<Uint8Array>(Math.floor(random.number() * 300)).fill(unit))],
    [1, () => new Uint8Array()],
  ])();
  // What is put in either moves the rest or replaces it.
  const after = random.chance(0.5) ? at : Math.min(at + Math.max(part.length, 1), bytes.length);
  return concat([bytes.subarray(0, at), part, bytes.subarray(after)]);
}

Deno.test("documents with random damage end in time, with passages or an error of the reader", async (t) => {
  using reader = createStoppableReader();
  const page = { source: "<< >>", stream: showLines(sentences(5)) };
  const { "word/document.xml": document, ...parts } = docxFiles(
    wordParagraph("Title", "H1") + wordParagraph("Trust & growth") +
      `<w:tbl><w:tr><w:tc>${wordParagraph("a")}</w:tc></w:tr></w:tbl>`,
  );
  const whole = (bytes: Uint8Array) => bytes;
  /** The damaged part of a document, and the way it becomes a file: packed content is damaged before it is packed. */
  const samples: Record<string, { kind: DocumentKind; seed: Uint8Array; pack: (bytes: Uint8Array) => Uint8Array }> = {
    "PDF": { kind: "pdf", seed: makePdfOfStreams([page, packed(showLines(sentences(5)))]), pack: whole },
    "a page of a PDF": { kind: "pdf", seed: page.stream, pack: (bytes) => makePdfOfStreams([packed(bytes)]) },
    "DOCX": { kind: "docx", seed: zipSync({ ...parts, "word/document.xml": document! }), pack: whole },
    "the text of a DOCX": {
      kind: "docx",
      seed: document!,
      pack: (bytes) => zipSync({ ...parts, "word/document.xml": bytes }),
    },
    "a slide": {
      kind: "pptx",
      seed: bytesOf(
        '<p:sld><p:sp><p:ph type="title"/><p:txBody><a:p><a:r><a:rPr baseline="3"/><a:t>A</a:t></a:r></a:p></p:txBody>' +
          "</p:sp><a:tbl><a:tr><a:tc><a:txBody><a:p><a:t>B</a:t></a:p></a:txBody></a:tc></a:tr></a:tbl></p:sld>",
      ),
      pack: (bytes) => pptxOf({ "ppt/slides/slide1.xml": latin1(bytes) }),
    },
    "a sheet": {
      kind: "xlsx",
      seed: bytesOf(
        '<worksheet><dimension ref="A1"/><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="0"><v>1</v></c>' +
          '</row><row/></sheetData><mergeCells><mergeCell ref="A1:A2"/></mergeCells></worksheet>',
      ),
      pack: (bytes) => xlsxOf({ "xl/worksheets/sheet1.xml": latin1(bytes) }),
    },
    "XLSX": { kind: "xlsx", seed: sheetOf('<row><c t="str"><v>a</v></c></row>'), pack: whole },
    "the text of an ODT": {
      kind: "odt",
      seed: bytesOf(
        '<office:text><text:h text:outline-level="1">A</text:h><text:list><text:list-item><text:p>B<text:note>' +
          "<text:note-body><text:p>C</text:p></text:note-body></text:note></text:p></text:list-item></text:list>" +
          "<table:table><table:table-row><table:table-cell><text:p>D</text:p></table:table-cell></table:table-row>" +
          "</table:table></office:text>",
      ),
      pack: (bytes) => odtOf("", { "content.xml": latin1(bytes) }),
    },
    "a book": {
      kind: "epub",
      seed: bytesOf('<package><item id="a" href="a.xhtml"/><spine toc="a"><itemref idref="a"/></spine></package>'),
      pack: (bytes) => epubOf("<p>a</p>", { "a.opf": latin1(bytes) }),
    },
    "a page": {
      kind: "html",
      seed: bytesOf("<title>a</title><main><h1>b</h1><table><td>c</table></main>"),
      pack: whole,
    },
    "CSV": { kind: "csv", seed: bytesOf('a;"b ""c"";\n";1,5\n\n"d";e;2\n'), pack: whole },
    "Markdown": {
      kind: "md",
      seed: bytesOf(
        `---\ntitle: "a"\n---\n# One\n\n[a](b) text. More.\n\n\`\`\`\ncode\n\`\`\`\n\nTwo\n---\n\n- c\n- d\n`,
      ),
      pack: whole,
    },
  };
  for (const [name, { kind, seed, pack }] of Object.entries(samples)) {
    await t.step(name, async () => {
      const random = createRandom(1);
      for (let round = 0; round < (nightly.ignore ? 40 : 1_000); round++) {
        let bytes = seed;
        for (let changes = 1 + Math.floor(random.number() * 4); changes > 0; changes--) {
          bytes = mutate(bytes, { kind, random });
        }
        const { outcome } = await reader.read({ kind, bytes: pack(bytes), enough: Infinity });
        assert(["read", "empty", damaged].includes(outcome), `round ${round}: ${outcome}`);
      }
    });
  }
});
