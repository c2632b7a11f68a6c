import { join } from "node:path";
import { Buffer } from "node:buffer";
import { strToU8, zipSync } from "fflate";
import { deflateSync } from "node:zlib";
import { concat } from "../../shared/libs/base/std/bytes.ts";
import {
  type Bookmark,
  type DocumentKind,
  type Passage,
  readPassages,
} from "../../shared/libs/documents/read_passages.ts";
import { findEdgeDeno } from "../../supabase/platform/edge_runtime/edge_deno.ts";
import { edgeDenoEnv } from "../../supabase/platform/edge_runtime/worker.ts";
import { projectRoot } from "../../supabase/platform/state.ts";

/** An object of a PDF file: its source, and its stream. */
export type SampleObject = { source: string; stream?: Uint8Array };

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** Writes a PDF file of unchanged objects, with a cross-reference table and a trailer that names object 1. */
export function makePdf(objects: Record<number, SampleObject | string>, trailer = ""): Uint8Array<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  const offsets = new Map<number, number>();
  let length = 0;
  const write = (chunk: string | Uint8Array) => {
    const bytes = typeof chunk === "string" ? bytesOf(chunk) : chunk;
    chunks.push(bytes);
    length += bytes.length;
  };
  write("%PDF-1.7\n");
  for (const [number, object] of Object.entries(objects)) {
    offsets.set(Number(number), length);
    const { source, stream } = typeof object === "string" ? { source: object } : object;
    write(`${number} 0 obj\n${source}\n`);
    if (stream) {
      write("stream\n");
      write(stream);
      write("\nendstream\n");
    }
    write("endobj\n");
  }
  const start = length;
  const size = Math.max(...offsets.keys()) + 1;
  write(`xref\n0 ${size}\n0000000000 65535 f \n`);
  for (let number = 1; number < size; number++) {
    const offset = offsets.get(number);
    write(offset === undefined ? "0000000000 65535 f \n" : `${String(offset).padStart(10, "0")} 00000 n \n`);
  }
  write(`trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`);
  return concat(chunks);
}

/** A PDF file with a page for each content stream; further objects are numbered from 100. */
export function makePdfOfStreams(
  streams: SampleObject[],
  more: Record<number, SampleObject | string> = {},
): Uint8Array {
  const objects: Record<number, SampleObject | string> = {
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: `<< /Type /Pages /Count ${streams.length} /Kids [${streams.map((_, i) => `${10 + 2 * i} 0 R`).join(" ")}] >>`,
    3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...more,
  };
  for (const [i, stream] of streams.entries()) {
    const content = 11 + 2 * i;
    objects[10 + 2 * i] = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${content} 0 R ` +
      "/Resources << /Font << /F1 3 0 R >> >> >>";
    objects[content] = stream;
  }
  return makePdf(objects);
}

/** A PDF file of one page, which shows a picture and no text; further objects are numbered from 10. */
export function makeScan(picture: SampleObject, more: Record<number, SampleObject | string> = {}) {
  return makePdf({
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R " +
      "/Resources << /XObject << /Im 5 0 R >> >> >>",
    4: packed(bytesOf("q /Im Do Q")),
    5: picture,
    ...more,
  });
}

/** A content stream that shows lines of text one below the other. */
export function showLines(lines: string[]): Uint8Array {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, "\\$&")}) Tj T*`);
  return bytesOf(`BT /F1 11 Tf 14 TL 60 780 Td ${shown.join("\n")} ET`);
}

/** Writes codes of LZW as PDF has them. */
export function writeLzw(codes: Iterable<number>): Buffer {
  const bytes: number[] = [];
  let [held, bits, width, entries] = [0, 0, 9, 257];
  for (const code of codes) {
    [held, bits] = [held << width | code, bits + width];
    for (; bits >= 8; held &= (1 << bits) - 1) bytes.push(held >> (bits -= 8));
    [width, entries] = code === 256 ? [9, 257] : [width, entries + 1];
    if (entries + 1 === 1 << width && width < 12) width++;
  }
  return Buffer.from([...bytes, held << 8 - bits & 255]);
}

/** Packs ASCII text by LZW. The table is cleared when it has so many entries. */
export function packLzw(text: string, { clearAt = 4_094 } = {}): Buffer {
  return writeLzw(function* () {
    let [codes, sequence]: [Map<string, number>, string] = [new Map(), ""];
    const codeOf = (its: string) => codes.get(its) ?? its.charCodeAt(0);
    yield 256;
    for (const character of text) {
      if (sequence === "" || codes.has(sequence + character)) {
        sequence += character;
        continue;
      }
      yield codeOf(sequence);
      if (codes.size + 258 < 4_096) codes.set(sequence + character, codes.size + 258);
      sequence = character;
      if (codes.size + 258 < clearAt) continue;
      yield* [codeOf(sequence), 256];
      [codes, sequence] = [new Map(), ""];
    }
    if (sequence !== "") yield codeOf(sequence);
    yield 257;
  }());
}

/** A compressed stream; `filters` decompress it. */
export function packed(data: Uint8Array, filters = "/FlateDecode"): SampleObject {
  const stream = deflateSync(data);
  return { source: `<< /Length ${stream.length} /Filter ${filters} >>`, stream };
}

const wordNamespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const relationshipTypes = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** The files of a DOCX document whose body is given as XML, in the order in which LibreOffice writes them. */
export function docxFiles(body: string): Record<string, Uint8Array> {
  const files = {
    "_rels/.rels":
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relationshipTypes}/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/_rels/document.xml.rels":
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relationshipTypes}/styles" Target="styles.xml"/></Relationships>`,
    "word/document.xml": `<?xml version="1.0"?><w:document ${wordNamespace}><w:body>${body}</w:body></w:document>`,
    "word/styles.xml": `<w:styles ${wordNamespace}>${
      [1, 2].map((level) =>
        `<w:style w:type="paragraph" w:styleId="H${level}"><w:name w:val="heading ${level}"/></w:style>`
      ).join("")
    }</w:styles>`,
    "[Content_Types].xml":
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  };
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]));
}

export function makeDocx(body: string): Uint8Array {
  return zipSync(docxFiles(body));
}

/** The local entries of a ZIP archive in the format for large files, unpacked, and the mark of its end. */
export function zip64(files: Record<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(files).flatMap(([name, data]) => {
    const head = new DataView(new ArrayBuffer(30));
    head.setUint32(0, 0x504b0304);
    head.setUint16(4, 45, true);
    head.setUint32(18, 0xffffffff, true);
    head.setUint32(22, 0xffffffff, true);
    head.setUint16(26, name.length, true);
    head.setUint16(28, 20, true);
    const sizes = new DataView(new ArrayBuffer(20));
    sizes.setUint16(0, 1, true);
    sizes.setUint16(2, 16, true);
    for (const place of [4, 12]) sizes.setBigUint64(place, BigInt(data.length), true);
    return [new Uint8Array(head.buffer), bytesOf(name), new Uint8Array(sizes.buffer), data];
  });
  return concat([...entries, bytesOf(`PK\x05\x06${"\0".repeat(18)}`)]);
}

/** A paragraph of a DOCX document. */
export function wordParagraph(text: string, style?: string): string {
  const properties = style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : "";
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** Different sentences in plain English, ten words each. */
export function sentences(count: number): string[] {
  const words = "team trust coach question answer meeting promise feedback silence growth".split(" ");
  return Array.from({ length: count }, (_, i) => {
    const chosen = Array.from({ length: 8 }, (_, j) => words[(i * (j + 3) + j) % words.length]);
    return `Sentence ${i} ${chosen.join(" ")}.`;
  });
}

/** All passages, read in one go, and their batches. */
export async function readAll(
  kind: DocumentKind,
  bytes: Uint8Array,
): Promise<{ passages: Passage[]; batches: number[]; bookmarks: Bookmark[] }> {
  const passages: Passage[] = [];
  const batches: number[] = [];
  const bookmarks: Bookmark[] = [];
  for await (const batch of readPassages(kind, bytes, null)) {
    passages.push(...batch.passages);
    batches.push(batch.passages.length);
    if (batch.next) bookmarks.push(batch.next);
  }
  return { passages, batches, bookmarks };
}

/** All passages, each batch read by a new reader that has only the stored bookmark. */
export async function readInterrupted(kind: DocumentKind, bytes: Uint8Array): Promise<Passage[]> {
  const passages: Passage[] = [];
  let stored: string | null = "null";
  while (stored !== null) {
    for await (const batch of readPassages(kind, bytes, JSON.parse(stored))) {
      passages.push(...batch.passages);
      stored = batch.next && JSON.stringify(batch.next);
      break;
    }
  }
  return passages;
}

/**
 * By how many bytes documents raise the peak memory of a process of the functions' Deno that has read a good document
 * before.
 */
export async function measureMemory(
  kind: DocumentKind,
  { good, documents }: { good: Uint8Array; documents: Uint8Array[] },
): Promise<number> {
  const folder = await Deno.makeTempDir();
  const script = new URL("read_bombs.ts", import.meta.url).href;
  try {
    await Deno.writeFile(`${folder}/good.${kind}`, good);
    for (const [i, bytes] of documents.entries()) await Deno.writeFile(`${folder}/${i}.${kind}`, bytes);
    const config = join(projectRoot, "deno.json");
    const { stdout } = await new Deno.Command(findEdgeDeno(), {
      // This Deno cannot read the lock file of the newer one.
      args: ["run", "--quiet", "--no-lock", "--config", config, "--no-check", "-A", script, folder],
      env: edgeDenoEnv,
      stderr: "inherit",
      signal: AbortSignal.timeout(60_000),
    }).output();
    return JSON.parse(new TextDecoder().decode(stdout));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A recording in WAV: silence of so many seconds, 8,000 bytes each. */
export function createWav(seconds: number): Uint8Array<ArrayBuffer> {
  const size = seconds * 8_000;
  const bytes = new Uint8Array(44 + size).fill(0x80, 44);
  const view = new DataView(bytes.buffer);
  for (const [at, text] of [[0, "RIFF"], [8, "WAVEfmt "], [36, "data"]] as const) bytes.set(strToU8(text), at);
  for (const [at, value] of [[4, 36 + size], [16, 16], [24, 8_000], [28, 8_000], [40, size]] as const) {
    view.setUint32(at, value, true);
  }
  for (const [at, value] of [[20, 1], [22, 1], [32, 1], [34, 8]] as const) view.setUint16(at, value, true);
  return bytes;
}
