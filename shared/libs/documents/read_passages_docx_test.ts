import { strToU8, zipSync } from "fflate";
import { UnreadableDocument } from "./read_passages.ts";
import { assert, assertEquals, assertRejects } from "../../../tests/support/assert.ts";
import {
  docxFiles,
  makeDocx,
  measureMemory,
  readAll,
  readInterrupted,
  sentences,
  wordParagraph,
} from "../../../tests/support/sample_documents.ts";
import { slow, stepEach } from "../../../tests/support/slow.ts";

const prose = sentences(12).join(" ");
const image =
  '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">' +
  '<a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:embed="rId9"/>' +
  "</wp:inline></w:drawing></w:r></w:p>";

function table(rows: string[][]): string {
  const cells = (row: string[]) => row.map((text) => `<w:tc>${wordParagraph(text)}</w:tc>`).join("");
  return `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join("")}</w:tbl>`;
}

/** Changes files inside an otherwise valid document. */
function changed(change: Record<string, string | Uint8Array>): Uint8Array {
  const entries = Object.entries(change).map(([name, data]) => [name, typeof data === "string" ? strToU8(data) : data]);
  return zipSync({ ...docxFiles(wordParagraph(prose)), ...Object.fromEntries(entries) });
}

const contents: Record<string, { body: string; passages: { heading: string | null; content: string }[] }> = {
  "headings and paragraphs": {
    body: wordParagraph("Trust", "H1") + wordParagraph(prose) + wordParagraph("Praise", "H2") + wordParagraph(prose),
    passages: [{ heading: "Trust", content: prose }, { heading: "Trust > Praise", content: prose }],
  },
  "the cells of a table row are on one line": {
    body: wordParagraph("Before") + table([["Name", "Age"], ["Ada", "36"]]) + wordParagraph("After"),
    passages: [{ heading: null, content: "Before\n\nName | Age\nAda | 36\n\nAfter" }],
  },
  "entities are characters": {
    body: wordParagraph("Q&amp;A &lt;b&gt; &#228;"),
    passages: [{ heading: null, content: "Q&A <b> ä" }],
  },
  "an image is passed over": {
    body: wordParagraph("Before") + image + wordParagraph("After"),
    passages: [{ heading: null, content: "Before\n\nAfter" }],
  },
  "a document without text": { body: "<w:p/><w:sectPr/>", passages: [] },
};

const unreadable: Record<string, { bytes: () => Uint8Array; message: string }> = {
  "encrypted": {
    bytes: () => Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...new Uint8Array(600)]),
    message: "The file is encrypted",
  },
  "truncated": { bytes: () => makeDocx(wordParagraph(prose)).slice(0, -40), message: "The file is damaged" },
  "damaged inside": {
    bytes: () => {
      const bytes = makeDocx(wordParagraph(prose.repeat(50)));
      const document = new TextDecoder("latin1").decode(bytes).indexOf("word/document.xml");
      return bytes.fill(0xff, document + 30, document + 90);
    },
    message: "The file is damaged",
  },
  "another archive": { bytes: () => zipSync({ "hello.txt": strToU8("Hello") }), message: "The file is damaged" },
  "XML without a body": {
    bytes: () => changed({ "word/document.xml": "<w:document/>" }),
    message: "The file is damaged",
  },
  "XML that is not well-formed": {
    bytes: () => makeDocx(`${wordParagraph(prose)}<w:p></w:r>`),
    message: "The file is damaged",
  },
  "entities that multiply": {
    bytes: () =>
      changed({
        "word/document.xml":
          `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><w:document><w:body>&b;</w:body></w:document>`,
      }),
    message: "The file is damaged",
  },
  "entities in the styles": {
    bytes: () => changed({ "word/styles.xml": `<!DOCTYPE x [<!ENTITY a "ha">]><w:styles>&a;</w:styles>` }),
    message: "The file is damaged",
  },
};

const tooLarge = "The file holds or unpacks to more text than can be read";
const bombs: Record<string, () => Uint8Array> = {
  "60 MB of text": () => changed({ "word/document.xml": new Uint8Array(60_000_000).fill(32) }),
  "60 MB of styles": () => changed({ "word/styles.xml": new Uint8Array(60_000_000).fill(32) }),
  "a million styles": () => changed({ "word/styles.xml": `<w:styles>${"<w:style/>".repeat(1_000_000)}</w:styles>` }),
  "one row of a million cells": () => makeDocx(`<w:tbl><w:tr>${"<w:tc/>".repeat(1_000_000)}</w:tr></w:tbl>`),
  "one paragraph of a million attributes": () =>
    makeDocx(`<w:p ${Array.from({ length: 1_000_000 }, (_, i) => `a${i}="1"`).join(" ")}/>`),
  "a million elements in each other": () => makeDocx(`${"<w:p>".repeat(1_000_000)}${"</w:p>".repeat(1_000_000)}`),
};

Deno.test("readPassages of a DOCX file", async (t) => {
  for (const [promise, { body, passages }] of Object.entries(contents)) {
    await t.step(promise, async () => {
      const found = await readAll("docx", makeDocx(body));
      assertEquals(found.passages, passages.map((passage) => ({ ...passage, page: null })));
    });
  }

  await t.step("the items of a list stay separate", async () => {
    const numbering = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>';
    const items = ["One", "Two"].map((text) => `<w:p>${numbering}<w:r><w:t>${text}</w:t></w:r></w:p>`);
    const { passages } = await readAll("docx", makeDocx(wordParagraph("Before") + items.join("")));
    assert(/^Before\n\n(- )?One\n+(- )?Two$/.test(passages[0]!.content), passages[0]!.content);
  });

  await t.step("other files of the archive are not unpacked, however large", async () => {
    const { passages } = await readAll("docx", changed({ "word/media/image1.png": new Uint8Array(60_000_000) }));
    assertEquals(passages.map(({ content }) => content), [prose]);
  });

  await t.step("the document may have another name", async () => {
    const { "word/document.xml": document, "_rels/.rels": relationships, ...rest } = docxFiles(wordParagraph(prose));
    const renamed = strToU8(
      new TextDecoder().decode(relationships).replace("word/document.xml", "/word/document2.xml"),
    );
    const bytes = zipSync({ ...rest, "_rels/.rels": renamed, "word/document2.xml": document! });
    assertEquals((await readAll("docx", bytes)).passages.length, 1);
  });

  const rows = Array.from({ length: 10_000 }, (_, i) => [`row ${i}`, "coach", "trust", "praise", "team"]);
  const chapters = Array.from(
    { length: 60 },
    (_, i) => wordParagraph(`Chapter ${i}`, "H1") + sentences(150).map((sentence) => wordParagraph(sentence)).join(""),
  );
  const large: Record<string, string> = {
    "a book": chapters.join(""),
    "a table": table(rows),
    "a table in a form that holds everything": `<w:sdt><w:sdtPr/><w:sdtContent>${
      chapters.slice(0, 20).join("") + table(rows)
    }</w:sdtContent></w:sdt>`,
  };
  for (const [name, body] of Object.entries(large)) {
    const bytes = makeDocx(body);
    const { passages, batches } = await readAll("docx", bytes);

    await t.step(`${name}: at most 50 passages a batch`, () => {
      assert(batches.length > 3 && Math.max(...batches) <= 50, batches.join(" "));
    });

    await t.step(`${name}: no text is lost or moved`, () => {
      const text = passages.map(({ content }) => content).join("\n");
      const found = new Set(text.match(/row \d+ \| coach \| trust \| praise \| team/g));
      if (body.includes("<w:tbl>")) assertEquals([...found], rows.map((row) => row.join(" | ")));
      const headings = [...new Set(passages.map(({ heading }) => heading))];
      const count = name === "a book" ? 60 : name === "a table" ? 0 : 20;
      assertEquals(headings, count === 0 ? [null] : Array.from({ length: count }, (_, i) => `Chapter ${i}`));
    });

    await t.step({
      name: `${name}: resumed at every bookmark, the passages are the same`,
      ignore: slow.ignore && name !== "a book",
      fn: async () => assertEquals(await readInterrupted("docx", bytes), passages),
    });
  }

  for (const [name, { bytes, message }] of Object.entries(unreadable)) {
    await t.step(`${name} → ${message}`, async () => {
      await assertRejects(() => readAll("docx", bytes()), UnreadableDocument, message);
    });
  }

  const refusals = Object.entries(bombs).map(([name, bytes]) =>
    [`${name} → ${tooLarge}`, bytes] satisfies [string, unknown]
  );
  await stepEach(t, refusals, {
    quick: ["60 MB of text", "one row of a million cells"].map((name) => `${name} → ${tooLarge}`),
    run: async (bytes) => {
      await assertRejects(() => readAll("docx", bytes()), UnreadableDocument, tooLarge);
    },
  });

  const cells = `<w:tbl><w:tr>${`<w:tc>${wordParagraph("a")}</w:tc>`.repeat(5_500)}</w:tr></w:tbl>`;
  const heavy = {
    ...bombs,
    "the largest row that is read": () => makeDocx(cells),
    "the most styles that are read": () =>
      changed({ "word/styles.xml": `<w:styles>${"<w:style/>".repeat(48_000)}</w:styles>` }),
  };
  for (const [name, bytes] of Object.entries(heavy)) {
    await t.step({
      name: `${name}: takes less than 200 MB`,
      ignore: Deno.build.os !== "linux" || slow.ignore && name !== "60 MB of text",
      fn: async () => {
        const good = makeDocx(wordParagraph(prose));
        const memory = await measureMemory("docx", { good, documents: [bytes()] });
        assert(memory < 200_000_000, `${memory}`);
      },
    });
  }
});
