import { strToU8, zipSync } from "fflate";
import { readPassages, UnreadableDocument } from "./read_passages.ts";
import { assert, assertEquals, assertRejects } from "../../../tests/support/assert.ts";
import {
  docxFiles,
  readAll,
  readInterrupted,
  sentences,
  wordParagraph,
  zip64,
} from "../../../tests/support/sample_documents.ts";

const types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

type Related = { kind: string; target: string; content?: string | Uint8Array };

/** A document whose body refers to other parts, or to addresses, by these ids. */
function docx(body: string, related: Record<string, Related> = {}): Uint8Array {
  const relationships = Object.entries(related).map(([id, { kind, target, content }]) =>
    `<Relationship Id="${id}" Type="${types}/${kind}" Target="${target}" ${content ? "" : 'TargetMode="External"'}/>`
  );
  const parts = Object.values(related).filter(({ content }) => content !== undefined)
    .map(({ target, content }) => [
      `word/${target}`,
      typeof content === "string" ? strToU8(content) : content!,
    ]);
  return zipSync({
    ...docxFiles(body),
    "word/_rels/document.xml.rels": strToU8(`<Relationships>${relationships.join("")}</Relationships>`),
    ...Object.fromEntries(parts),
  });
}

const run = (text: string, properties = "") =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (content: string, properties = "") => `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`;
const field = (instruction: string, result: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r>` +
  `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
const checkBox = (isOn: boolean) =>
  `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/>${isOn ? "<w:checked/>" : ""}` +
  `</w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r>` +
  `<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
const m = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const raised = '<w:vertAlign w:val="superscript"/>';
const lowered = '<w:vertAlign w:val="subscript"/>';

/** The content of a body, and the text that is read. */
const contents: Record<string, { body: string; text: string; related?: Record<string, Related> }> = {
  "what is moved stands where it was moved to": {
    body: p(`<w:moveTo>${run("Moved.")}</w:moveTo>`) + p(run("Stays.")) +
      p(`<w:moveFrom>${run("Moved.")}</w:moveFrom>`),
    text: "Moved.\n\nStays.",
  },
  "what is inserted counts, what is deleted does not": {
    body: p(`${run("79 ")}<w:ins>${run("euros")}</w:ins><w:del><w:r><w:delText>dollars</w:delText></w:r></w:del>`),
    text: "79 euros",
  },
  "a paragraph whose end is deleted goes on": {
    body: p(run("Open on "), "<w:rPr><w:del/></w:rPr>") + p(run("Monday.")),
    text: "Open on Monday.",
  },
  "a deleted row is gone": {
    body:
      `<w:tbl><w:tr><w:tc>${p(run("Name"))}</w:tc></w:tr><w:tr><w:trPr><w:del/></w:trPr><w:tc>${p(run("Ada"))}</w:tc>` +
      `</w:tr></w:tbl>`,
    text: "Name",
  },
  "earlier properties do not count": {
    body: p(run("Plain"), `<w:pPrChange><w:pPr><w:pStyle w:val="H1"/></w:pPr></w:pPrChange>`) + p(run("next")),
    text: "Plain\n\nnext",
  },
  "struck and hidden text is not the document's word": {
    body: p(
      run("Costs ") + run("99", "<w:strike/>") + run("secret", "<w:vanish/>") + run("79", '<w:strike w:val="0"/>'),
    ),
    text: "Costs 79",
  },
  "raised and lowered numbers": {
    body: p(
      run("50") + run("1", raised) + run(" euros, 10") + run("-6", raised) + run(", CO") + run("2", lowered) +
        run("th", raised) + run(" m") + run("2", '<w:position w:val="8"/>') + run("3", '<w:position w:val="1"/>'),
    ),
    text: "50¹ euros, 10⁻⁶, CO₂th m²3",
  },
  "simple and other fields": {
    body: p(
      `${run("Dear ")}<w:fldSimple w:instr=" MERGEFIELD x ">${run("Ada")}</w:fldSimple>${field(" REF x ", ", hello")}`,
    ),
    text: "Dear Ada, hello",
  },
  "a field without a result takes no other text with it": {
    body: p(`<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r>`) +
      p(run("Shown.")) +
      p(run("Last,"), "<w:rPr><w:del/></w:rPr>"),
    text: "Shown.\n\nLast,",
  },
  "check boxes with their state": {
    body: p(checkBox(true) + run(" yes ") + checkBox(false) + run(" no")),
    text: "☒ yes ☐ no",
  },
  "a placeholder is not filled in": {
    body:
      p(`${run("Name: ")}<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>${
        run("Click here")
      }</w:sdtContent></w:sdt>`) +
      p(`<w:sdt><w:sdtPr/><w:sdtContent>${run("filled")}</w:sdtContent></w:sdt>`),
    text: "Name:\n\nfilled",
  },
  "ruby and runs with a direction": {
    body: p(
      `<w:ruby><w:rubyPr/><w:rt>${run("かんじ")}</w:rt><w:rubyBase>${run("漢字")}</w:rubyBase></w:ruby>` +
        `<w:bdo w:val="rtl">${run("ab")}</w:bdo>`,
    ),
    text: "漢字(かんじ)ab",
  },
  "breaks, tabs, hyphens and symbols": {
    body: p(
      `${run("a")}<w:r><w:cr/><w:t>b</w:t><w:ptab/><w:t>c</w:t><w:tab/><w:t>soft</w:t><w:softHyphen/><w:t>ware</w:t>` +
        `<w:noBreakHyphen/><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>`,
    ),
    text: "a\nb c software-✓",
  },
  "equations in one line": {
    body: p(
      `<m:oMath>${m("E=m")}<m:sSup><m:e>${m("c")}</m:e><m:sup>${m("2")}</m:sup></m:sSup>${m(", x=")}<m:f><m:num>${
        m("a+b")
      }</m:num><m:den><m:rad><m:deg/><m:e>${m("2")}</m:e></m:rad></m:den></m:f></m:oMath>`,
    ),
    text: "E=mc², x=(a+b)/(√(2))",
  },
  "equations below each other, in boxes and with accents": {
    body: p(
      `<m:oMath><m:eqArr><m:e>${m("x=1")}</m:e><m:e>${m("y=")}<m:f><m:num><m:box><m:e>${m("a")}</m:e></m:box></m:num>` +
        `<m:den><m:acc><m:accPr><m:chr m:val="\u0303"/></m:accPr><m:e>${m("n")}</m:e></m:acc></m:den></m:f></m:e>` +
        `</m:eqArr></m:oMath>`,
    ),
    text: "x=1; y=a/ñ",
  },
  "alternative texts": {
    body: p(`<w:r><w:drawing><wp:inline><wp:docPr id="1" descr="A red boat"/></wp:inline></w:drawing></w:r>`),
    text: "[A red boat]",
  },
  "a text box once": {
    body: p(
      `${run("Beside")}<w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${
        p(run("In the box"))
      }</w:txbxContent></mc:Choice>` +
        `<mc:Fallback><w:txbxContent>${p(run("In the box"))}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r>`,
    ),
    text: "Beside\n\nIn the box",
  },
  "a large letter at the beginning": {
    body: p(run("O"), '<w:framePr w:dropCap="drop"/>') + p(run("nce upon a time.")),
    text: "Once upon a time.",
  },
  "the address of a link": {
    body: p(
      `${run("Book ")}<w:hyperlink r:id="a" w:anchor="may">${run("here")}</w:hyperlink>${run(" or ")}${
        field(' HYPERLINK "mailto:a@example.com" ', "write")
      }`,
    ) +
      p(`<w:fldSimple w:instr=" HYPERLINK https://example.com/x ">${run("Or here")}</w:fldSimple>`),
    related: { a: { kind: "hyperlink", target: "https://example.com/book" } },
    text: "Book here (https://example.com/book#may) or write (mailto:a@example.com)\n\nOr here (https://example.com/x)",
  },
  "another document in this one": {
    body: `${p(run("See below."))}<w:altChunk r:id="a"/>`,
    related: { a: { kind: "aFChunk", target: "chunk.htm", content: "<p>Code <b>5519</b></p>" } },
    text: "See below.\n\nCode 5519",
  },
  "a page of the web in this one": {
    body: '<w:altChunk r:id="a"/>',
    related: {
      a: {
        kind: "aFChunk",
        target: "chunk.htm",
        content:
          "<head><title>Gone</title><style>p {}</style></head><div>One <del>two</del>\n<a href='https://example.com/a'>" +
          "link</a></div><div>10<sup>6</sup><script>gone()</script></div>",
      },
    },
    text: "One link (https://example.com/a)\n\n10⁶",
  },
  "a saved page in this one": {
    body: '<w:altChunk r:id="a"/>',
    related: {
      a: {
        kind: "aFChunk",
        target: "chunk.mht",
        content:
          'MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\tboundary="-=x"\r\n\r\n---=x\r\nContent-Type: text/html; ' +
          'charset="iso-8859-1"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>Gr=FC=DFe =\r\nan alle</p>\r\n---=x--',
      },
    },
    text: "Grüße an alle",
  },
  "another document of its kind in this one, but none in that": {
    body: `<w:altChunk r:id="a"/>${p(run("After."))}`,
    related: {
      a: {
        kind: "aFChunk",
        target: "chunk.docx",
        content: docx(p(run("Inside.")) + '<w:altChunk r:id="b"/>', {
          b: { kind: "aFChunk", target: "chunk.docx", content: docx(p(run("Deeper."))) },
        }),
      },
    },
    text: "Inside.\n\nAfter.",
  },
  "the entry of a list that is chosen": {
    body: p(
      '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="Monday"/>' +
        '<w:listEntry w:val="Tuesday"/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMDROPDOWN ' +
        '</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>',
    ),
    text: "Tuesday",
  },
  "notes behind their paragraph": {
    body: p(`${run("Costs 50")}<w:r><w:footnoteReference w:id="9"/></w:r>${run(" euros.")}`) + p(run("More.")),
    related: {
      a: {
        kind: "footnotes",
        target: "footnotes.xml",
        content: `<w:footnotes><w:footnote w:id="9">${p(run("Without tax."))}</w:footnote ></w:footnotes>`,
      },
    },
    text: "Costs 50¹ euros.\n\n¹ Without tax.\n\nMore.",
  },
  "headers and footers, once, without numbers of pages": {
    body: p(run("Text.")),
    related: Object.fromEntries(["header1", "header2", "footer1"].map((name) => [name, {
      kind: name.slice(0, -1),
      target: `${name}.xml`,
      content: name === "footer1"
        ? `<w:ftr>${p(`${run("Page ")}${field(" PAGE ", "3")}`)}</w:ftr>`
        : `<w:hdr>${p(run("Policy 12"))}</w:hdr>`,
    }])),
    text: "Policy 12\n\nText.",
  },
  "charts and diagrams": {
    body: p(
      `<w:r><w:drawing><c:chart r:id="a"/></w:drawing></w:r><w:r><w:drawing><dgm:relIds r:dm="b"/></w:drawing></w:r>`,
    ),
    related: {
      a: {
        kind: "chart",
        target: "charts/chart1.xml",
        content: "<c:chartSpace><c:title><c:tx><a:t>Guests</a:t></c:tx></c:title><c:ser><c:tx><c:v>2026</c:v></c:tx>" +
          "<c:cat><c:pt><c:v>May</c:v></c:pt><c:pt><c:v>June</c:v></c:pt></c:cat>" +
          "<c:val><c:pt><c:v>4</c:v></c:pt><c:pt><c:v>9</c:v></c:pt></c:val></c:ser><c:valAx><c:title><c:tx><a:t>People</a:t>" +
          "</c:tx></c:title></c:valAx></c:chartSpace>",
      },
      b: {
        kind: "diagramData",
        target: "diagrams/data1.xml",
        content:
          "<dgm:dataModel><a:p><a:r><a:t>Ask</a:t></a:r></a:p><a:p><a:r><a:t>Answer</a:t></a:r></a:p></dgm:dataModel>",
      },
    },
    text: "Guests\n2026: May 4, June 9\nPeople\n\nAsk\nAnswer",
  },
};

Deno.test("readPassages of a DOCX file: contents", async (t) => {
  for (const [promise, { body, text, related }] of Object.entries(contents)) {
    await t.step(promise, async () => {
      const { passages } = await readAll("docx", docx(body, related));
      assertEquals(passages.map(({ content }) => content).join("\n\n"), text);
    });
  }
});

const level = (index: number, format: string, text: string) =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
const numbering =
  `<w:numbering><w:abstractNum w:abstractNumId="0">${level(0, "decimal", "%1.")}${level(1, "decimal", "%1.%2")}${
    level(2, "lowerLetter", "(%3)")
  }</w:abstractNum><w:abstractNum w:abstractNumId="1">${
    level(0, "bullet", "")
  }</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>` +
  `<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>` +
  `</w:numbering>`;
const related = { n: { kind: "numbering", target: "numbering.xml", content: numbering } };
const item = (text: string, index: number, list = 1, style = "") =>
  p(run(text), `${style}<w:numPr><w:ilvl w:val="${index}"/><w:numId w:val="${list}"/></w:numPr>`);

Deno.test("readPassages of a DOCX file: automatic numbers", async (t) => {
  await t.step("of clauses, lists and bullets; an empty paragraph has none", async () => {
    const body = item("Rent", 0) + item("Deposit", 1) + item("late", 2) + item("lost", 2) + item("Keys", 1) +
      item("", 0) +
      item("End", 0) + item("point", 0, 2) + item("Seven", 0, 3) + item("Sub", 1) + item("Eight", 0, 3);
    const { passages } = await readAll("docx", docx(body, related));
    assertEquals(
      passages[0]!.content,
      "1. Rent\n1.1 Deposit\n(a) late\n(b) lost\n1.2 Keys\n2. End\n- point\n7. Seven\n7.1 Sub\n8. Eight",
    );
  });

  await t.step("of headings", async () => {
    const body = item("Rent", 0, 1, '<w:pStyle w:val="H1"/>') + item("Deposit", 1, 1, '<w:pStyle w:val="H2"/>') +
      wordParagraph("It is 250 euros.");
    const { passages } = await readAll("docx", docx(body, related));
    assertEquals(passages[0]!.heading, "1. Rent > 1.1 Deposit");
  });

  await t.step("they go on when the reading is interrupted", async () => {
    const clauses = sentences(6_000).map((sentence) => item(sentence, 0));
    const bytes = docx(clauses.join(""), related);
    const { passages, batches } = await readAll("docx", bytes);
    assert(batches.length > 1);
    assert(passages.at(-1)!.content.includes("6000. Sentence 5999"), passages.at(-1)!.content);
    assertEquals(await readInterrupted("docx", bytes), passages);
  });
});

Deno.test("readPassages of a DOCX file: each passage of a table begins with its title and the names of its columns", async () => {
  const row = (...cells: string[]) => `<w:tr>${cells.map((cell) => `<w:tc>${p(run(cell))}</w:tc>`).join("")}</w:tr>`;
  const rows = Array.from({ length: 200 }, (_, i) => row(`Boat ${i}`, `${i} euros a day, with oars and ropes`));
  const { passages } = await readAll(
    "docx",
    docx(`<w:tbl>${row("Prices")}${row("Boat", "Price")}${rows.join("")}</w:tbl>`),
  );
  assert(passages.length > 2 && passages.every(({ content }) => content.startsWith("Prices\nBoat | Price\nBoat ")));
});

Deno.test("readPassages of a DOCX file: a page of the web that is nested too deep is refused", async () => {
  const chunk = { kind: "aFChunk", target: "chunk.htm", content: "<div>".repeat(100_000) };
  await assertRejects(() => readAll("docx", docx('<w:altChunk r:id="a"/>', { a: chunk })), UnreadableDocument);
});

Deno.test("readPassages of a DOCX file: what could not be read is told", async () => {
  const body = p(`${run("Sales")}<w:r><w:drawing><c:chart r:id="x"/></w:drawing></w:r>`) + '<w:altChunk r:id="y"/>' +
    p('<w:r><w:object><o:OLEObject ProgID="Excel.Sheet.12"/></w:object></w:r>') +
    p(`<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>${run("Click here")}</w:sdtContent></w:sdt>`);
  const warnings = [];
  for await (const { warning } of readPassages("docx", docx(body), null)) warnings.push(warning);
  assertEquals(warnings, [
    "1 chart could not be read; 1 embedded document could not be read; 1 embedded object could not be read; " +
    "1 field is not filled in",
  ]);
});

Deno.test("readPassages of a DOCX file: 700 styles are read, and what one inherits counts", async () => {
  const styles = Array.from(
    { length: 700 },
    (_, i) =>
      `<w:style w:type="paragraph" w:styleId="S${i}"><w:name w:val="s${i}"/><w:basedOn w:val="${
        i === 0 ? "H1" : "S0"
      }"/>` +
      `<w:rPr>${'<w:lang w:val="en"/>'.repeat(40)}</w:rPr></w:style>`,
  );
  const content = `<w:styles><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>${
    styles.join("")
  }</w:styles>`;
  const bytes = docx(p(run("Title"), '<w:pStyle w:val="S699"/>') + wordParagraph("Text"), {
    s: { kind: "styles", target: "styles.xml", content },
  });
  assertEquals((await readAll("docx", bytes)).passages, [{ content: "Text", page: null, heading: "Title" }]);
});

Deno.test("readPassages of a DOCX file in the archive format for large files", async () => {
  const { passages } = await readAll("docx", zip64(docxFiles(wordParagraph("Large"))));
  assertEquals(passages.map(({ content }) => content), ["Large"]);
});
