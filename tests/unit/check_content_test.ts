import { concat } from "../../shared/libs/base/std/bytes.ts";
import { checkContent, UnacceptableFile } from "../../shared/features/knowledge/check_content.ts";
import { typeOfName } from "../../shared/features/knowledge/file_types.ts";
import type { ReadNext } from "../../shared/features/knowledge/split_parts.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";
import { docxFiles, zip64 } from "../support/sample_documents.ts";

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

/** Reads these pieces, one after the other. */
function readPieces(pieces: Iterable<Uint8Array<ArrayBuffer>>): ReadNext {
  const left = pieces[Symbol.iterator]();
  return () => Promise.resolve(left.next().value ?? null);
}

function check(name: string, pieces: Iterable<Uint8Array<ArrayBuffer>>) {
  return checkContent(readPieces(pieces), typeOfName(name)!);
}

Deno.test("UTF-16 is recognised by its byte order mark, however the network splits it", async () => {
  const text = Uint8Array.of(0xff, 0xfe, 0x61, 0);
  const cuts = [[text], [text.slice(0, 1), text.slice(1)], [...text].map((byte) => Uint8Array.of(byte))];
  for (const pieces of cuts) {
    assertEquals(concat(await Array.fromAsync(check("a.txt", pieces))), text, `in ${pieces.length} pieces`);
  }
  const utf32 = Uint8Array.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0);
  await assertRejects(() => Array.fromAsync(check("a.txt", [utf32])), UnacceptableFile);
});

Deno.test("a file is passed on unchanged, in full blocks, however the network splits it", async () => {
  const text = Uint8Array.from({ length: 150 * kilobyte }, (_, index) => 1 + index % 255);
  for (const length of [1, 1_000, 64 * kilobyte, 100 * kilobyte, text.length]) {
    const pieces = Array.from({ length: Math.ceil(text.length / length) }, (_, index) => {
      return text.slice(index * length, (index + 1) * length);
    });
    const blocks = await Array.fromAsync(check("a.txt", pieces));
    assertEquals(blocks.map(({ length }) => length / kilobyte), [64, 64, 22], `in pieces of ${length}`);
    assertEquals(concat(blocks), text);
  }
});

const piece = () => new Uint8Array(100 * kilobyte).fill(97);
const refused: [name: string, file: string, pieces: () => Generator<Uint8Array<ArrayBuffer>>, sentence: string][] = [
  ["a NUL byte at its end", "a.txt", function* () {
    yield* [piece(), piece(), Uint8Array.of(0)];
  }, "The content is not that of a TXT file"],
  ["a byte more than allowed", "a.md", function* () {
    for (let sent = 0; sent < 25 * megabyte; sent += 100 * kilobyte) yield piece();
    yield Uint8Array.of(97);
  }, "The file is larger than 25 MB"],
  ["the content of another type", "a.pdf", function* () {
    yield* [piece(), piece()];
  }, "The content is not that of a PDF file"],
  ["nothing", "a.txt", function* () {}, "The file is empty"],
];
for (const [name, file, pieces, sentence] of refused) {
  Deno.test(`of a file with ${name}, the last block is never passed on`, async () => {
    let passed = 0;
    const size = pieces().reduce((size, { length }) => size + length, 0);
    const error = await assertRejects(async () => {
      for await (const block of check(file, pieces())) passed += block.length;
    }, UnacceptableFile);
    assertEquals(error.message, sentence);
    assertEquals(passed === 0 || passed < size, true, `${passed} of ${size}`);
  });
}

Deno.test("a file of another type is refused before anything of it is passed on", async () => {
  const blocks = check("a.pdf", [piece(), piece(), piece()]);
  await assertRejects(() => blocks.next(), UnacceptableFile);
});

Deno.test("a DOCX file may be an archive in the format for large files, a picture may not", async () => {
  const bytes = zip64(docxFiles("<w:p/>"));
  assertEquals(concat(await Array.fromAsync(check("a.docx", [bytes]))), bytes);
  await assertRejects(() => Array.fromAsync(check("a.png", [bytes])), UnacceptableFile);
});
