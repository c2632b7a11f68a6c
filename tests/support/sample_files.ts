import { createWav } from "./sample_documents.ts";
import { crc32 } from "node:zlib";

const encoder = new TextEncoder();
const decodeHex = (hex: string) => Uint8Array.fromHex(hex.replaceAll(" ", ""));
const ascii = (text: string) => encoder.encode(text).toHex();

/** A ZIP archive that stores its entries as they are, in the order given. */
export function createZip(entries: Record<string, string | Uint8Array>): Uint8Array<ArrayBuffer> {
  const number = (bytes: number, value: number) =>
    new Uint8Array(Uint32Array.of(value).buffer).subarray(0, bytes).toHex();
  let files = "";
  let directory = "";
  for (const [name, content] of Object.entries(entries)) {
    const data = typeof content === "string" ? encoder.encode(content) : content;
    const place = files.length / 2;
    const size = number(4, data.length).repeat(2);
    // Version, flags, method, time, date, checksum, sizes, length of the name, length of the extra field.
    const header = `1400 0000 0000 0000 2100 ${number(4, crc32(data))} ${size} ${
      number(2, ascii(name).length / 2)
    } 0000`
      .replaceAll(" ", "");
    files += `504b0304${header}${ascii(name)}${data.toHex()}`;
    directory += `504b01021400${header}${number(2, 0).repeat(3)}${number(4, 0)}${number(4, place)}${ascii(name)}`;
  }
  const count = number(2, Object.keys(entries).length).repeat(2);
  const end = `504b0506 00000000 ${count} ${number(4, directory.length / 2)} ${number(4, files.length / 2)} 0000`;
  return decodeHex(files + directory + end);
}

const contentTypes = `<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
</Types>`;
const relationships = `<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>
</Relationships>`;
const wordDocument = `<?xml version="1.0" encoding="UTF-8"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:body><w:p><w:r><w:t>Hello from Word</w:t></w:r></w:p></w:body>
</w:document>`;

/** The parts of a Word document, in the order in which Word writes them. */
export const docxEntries = {
  "[Content_Types].xml": contentTypes,
  "_rels/.rels": relationships,
  "word/document.xml": wordDocument,
};

const officeTypes = (part: string, type: string) =>
  `<Types><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`;
const related = (target: string, kind: string) =>
  `<Relationships><Relationship Id="r1" Type="t/${kind}" Target="${target}"/></Relationships>`;

/** A presentation of one slide, given as XML. */
export const createPptx = (slide: string) =>
  createZip({
    "[Content_Types].xml": officeTypes("ppt/presentation.xml", "presentationml.presentation"),
    "_rels/.rels": related("ppt/presentation.xml", "officeDocument"),
    "ppt/presentation.xml": '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>',
    "ppt/_rels/presentation.xml.rels": related("slides/slide1.xml", "slide"),
    "ppt/slides/slide1.xml": slide,
  });
/** A workbook of one sheet, whose rows are given as XML. */
export const createXlsx = (rows: string) =>
  createZip({
    "[Content_Types].xml": officeTypes("xl/workbook.xml", "spreadsheetml.sheet"),
    "_rels/.rels": related("xl/workbook.xml", "officeDocument"),
    "xl/workbook.xml": '<workbook><sheets><sheet name="Prices" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": related("worksheets/sheet1.xml", "worksheet"),
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  });
const slide = "<p:sld><p:sp><p:txBody><a:p><a:r><a:t>Hello from a slide</a:t></a:r></a:p></p:txBody></p:sp></p:sld>";

/** The smallest valid files, by extension. */
export const sampleFiles = {
  pdf: encoder.encode(`%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 200 50] /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>>>> endobj
4 0 obj <</Length 42>> stream
BT /F1 18 Tf 10 20 Td (Hello from PDF) Tj ET
endstream endobj
5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj
trailer <</Root 1 0 R>>
%%EOF`),
  docx: createZip(docxEntries),
  pptx: createPptx(slide),
  xlsx: createXlsx('<row><c t="inlineStr"><is><t>Hello from a sheet</t></is></c></row>'),
  odt: createZip({
    mimetype: "application/vnd.oasis.opendocument.text",
    "content.xml": "<office:body><office:text><text:p>Hello from ODT</text:p></office:text></office:body>",
  }),
  epub: createZip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": '<container><rootfile full-path="a.opf"/></container>',
    "a.opf": '<package><item id="a" href="a.xhtml"/><spine><itemref idref="a"/></spine></package>',
    "a.xhtml": "<html><body><p>Hello from a book</p></body></html>",
  }),
  html: encoder.encode("<p>Hello from a page</p>"),
  csv: encoder.encode("Greeting,From\nHello,a table\n"),
  txt: encoder.encode("Hello from a text"),
  md: encoder.encode("# Hello\n\nfrom Markdown"),
  jpg: decodeHex("ffd8 ffe0 0010 4a46494600 0101 00 0001 0001 0000 ffd9"),
  png: Uint8Array.fromBase64(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  ),
  gif: Uint8Array.fromBase64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"),
  webp: Uint8Array.fromBase64("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"),
  mp4: decodeHex(`00000018 ${ascii("ftypisom")} 00000200 ${ascii("isomiso2")} 00000008 ${ascii("mdat")}`),
  avi: decodeHex(`${ascii("RIFF")} 10000000 ${ascii("AVI LIST")} 04000000 ${ascii("hdrl")}`),
  mov: decodeHex(`00000014 ${ascii("ftypqt  ")} 00000200 ${ascii("qt  ")} 00000008 ${ascii("wide")}`),
  mp3: decodeHex("fffb 9000".padEnd(834 + 1, "0") + "fffb9000".padEnd(834, "0")),
  m4a: decodeHex(`00000018 ${ascii("ftypM4A ")} 00000200 ${ascii("isomiso2")} 00000008 ${ascii("mdat")}`),
  wav: createWav(1),
  ogg: decodeHex(`${ascii("OggS")} 0002 ${"00".repeat(20)} 01 13 ${ascii("OpusHead")} 01 01 0000 80bb0000 0000 00`),
  // EBML header with the document type webm, then an empty segment.
  webm: decodeHex(`1a45dfa3 87 4282 84 ${ascii("webm")} 18538067 80`),
} satisfies Record<string, Uint8Array<ArrayBuffer>>;
