import { Buffer } from "node:buffer";
import { findActualTexts } from "../../shared/libs/documents/actual_texts.ts";
import { checkXml } from "../../shared/libs/documents/check_xml.ts";
import { countMappedCodes } from "../../shared/libs/documents/count_mapped_codes.ts";
import { createContext } from "../../shared/libs/documents/docx/create_context.ts";
import { readBody } from "../../shared/libs/documents/docx/read_body.ts";
import { defusePdf } from "../../shared/libs/documents/defuse_pdf.ts";
import { detectEncoding } from "../../shared/libs/documents/detect_encoding.ts";
import { inflateWithin } from "../../shared/libs/documents/inflate_within.ts";
import { joinLines } from "../../shared/libs/documents/join_lines.ts";
import { layOutPage } from "../../shared/libs/documents/lay_out_page.ts";
import { parseMarkdown, readLinkDefinitions, writeReferences } from "../../shared/libs/documents/parse_markdown.ts";
import { parsePdfObject } from "../../shared/libs/documents/parse_pdf_object.ts";
import { readHtml } from "../../shared/libs/documents/read_html.ts";
import { createTextReader } from "../../shared/libs/documents/read_text.ts";
import { endOfSlice, findBody, sliceBody } from "../../shared/libs/documents/read_docx.ts";
import { createPassageSplitter, measureText } from "../../shared/libs/documents/split_passages.ts";
import { unzipParts } from "../../shared/libs/documents/open_package.ts";
import { checkContent, UnacceptableFile } from "../../shared/features/knowledge/check_content.ts";
import { ApiError } from "../../shared/infra/errors.ts";
import { fileTypes, typeOfName } from "../../shared/features/knowledge/file_types.ts";
import { readOnce } from "../../shared/features/knowledge/split_parts.ts";
import { splitParts } from "../../shared/features/knowledge/split_parts.ts";
import { nameNote } from "../../shared/features/knowledge/store_note.ts";
import { countCharacters, createTextCleaner, isStorableText, splitSentences } from "../../shared/libs/base/text.ts";

/** Prepares to look at an attacker's text. The result does it. */
type Scan = (text: string) => () => unknown;

/**
 * Every function that scans the content of a file, by the format whose characters matter most to it. Each comes with a
 * document that has the text in the place that it scans.
 */
export const scans: Record<"pdf" | "docx" | "md", Record<string, Scan>> = {
  pdf: {
    findActualTexts: (text) => () => findActualTexts(text),
    "findActualTexts in a string": (text) => () => findActualTexts(`/ActualText (${text}`),
    countMappedCodes: (text) => () => countMappedCodes(`beginbfrange${text}`),
    "countMappedCodes up to an end": (text) => () => countMappedCodes(`beginbfrange${text}end`),
    "defusePdf between objects": (text) => defuse(`${text}\nendobj\nstartxref`),
    "defusePdf in a dictionary": (text) => defuse(`1 0 obj<<${text}>>stream\n\nendstream\nendobj\nstartxref`),
    "defusePdf in a stream": (text) => defuse(`1 0 obj<<>>stream\n${text}\nendstream\nendobj\nstartxref`),
    inflateWithin: (text) =>
      withBytes(text, (bytes) => inflateWithin(Buffer.from(bytes), { limit: 1_000_000, likelyLength: bytes.length })),
    "layOutPage in one line": (text) => layOut([text, "a"]),
    "layOutPage in lines of one character": (text) => layOut([...text]),
    "layOutPage in lines of words": (text) => layOut(text.split(" ")),
    parsePdfObject: (text) => () => parsePdfObject(text),
    "parsePdfObject in a dictionary": (text) => () => parsePdfObject(`<</A ${text}`),
    "parsePdfObject in a string": (text) => () => parsePdfObject(`(${text}`),
    "parsePdfObject in digits": (text) => () => parsePdfObject(`<${text}`),
    "parsePdfObject before what no object begins with": (text) => () => parsePdfObject(`${text}\n<ÿ`),
  },
  docx: {
    checkXml: (text) => () => checkXml(text, { maxMarks: Infinity }),
    "checkXml in an element": (text) => () => checkXml(`<a>${text}</a>`, { maxMarks: Infinity }),
    "checkXml in a tag": (text) => () => checkXml(`<a ${text}`, { maxMarks: Infinity }),
    readBody: (text) => () => readPart(`<w:body>${text}</w:body>`),
    "readBody in a paragraph": (text) => () => readPart(`<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`),
    "readBody in a table": (text) => () => readPart(`<w:tbl><w:tr><w:tc>${text}</w:tc></w:tr></w:tbl>`),
    "readBody in an equation": (text) => () => readPart(`<w:p><m:oMath><m:r><m:t>${text}</m:t></m:r></m:oMath></w:p>`),
    readHtml: (text) => () => readHtml(text),
    "readHtml in a table": (text) => () => readHtml(`<table><tr>${text}`),
    "readHtml after cells": (text) => {
      const html = `<table><tr><td>${text}</td>${"<td>a</td>".repeat(text.length / 10)}`;
      return () => readHtml(html);
    },
    sliceBody: (text) => () => {
      const body = findBody(`<w:document><w:body>${text}</w:body>`);
      const from = { offset: body.start, open: [] };
      return sliceBody(body, { from, to: endOfSlice(body, from) });
    },
    findBody: (text) => () => findBody(text),
    "findBody in a tag": (text) => () => findBody(`<w:body ${text}`),
    unzipParts: (text) => withBytes(`${text}PK\x05\x06`, unzip),
    "unzipParts in a file": (text) => withBytes(`PK\x03\x04${"\0".repeat(26)}${text}PK\x05\x06`, unzip),
    "checkContent of a document": (text) => withBytes(text, (bytes) => checkAs("docx", bytes)),
    "checkContent of an archive": (text) => withBytes(`PK\x03\x04${text}`, (bytes) => checkAs("docx", bytes)),
    "checkContent of a video": (text) => withBytes(`\x1a\x45\xdf\xa3${text}`, (bytes) => checkAs("webm", bytes)),
  },
  md: {
    detectEncoding: (text) => withBytes(text, (bytes) => detectEncoding(bytes)),
    measureText: (text) => () => measureText(text),
    readLinkDefinitions: (text) => () => readLinkDefinitions(text),
    writeReferences: (text) => () => writeReferences(text, new Map([["a", "https://example.com"]])),
    parseMarkdown: (text) => () => parseMarkdown(text, { isBeginning: true, fence: undefined }),
    "parseMarkdown in one line": (text) => () => parseMarkdown(`# ${text}`, { isBeginning: true, fence: undefined }),
    "parseMarkdown in a line of two": (text) => () =>
      parseMarkdown(`# ${text}\u2028`, { isBeginning: true, fence: undefined }),
    "parseMarkdown in front matter": (text) => () =>
      parseMarkdown(`---\n${text}`, { isBeginning: true, fence: undefined }),
    readText: (text) => withBytes(text, (bytes) => createTextReader(bytes, { isMarkdown: true }).read({ offset: 0 })),
    "a splitter's paragraph": (text) => () => splitBlock(text, null),
    "a splitter's heading": (text) => () => splitBlock(text, 1),
    splitParts: (text) => withBytes(`----\r\n\r\n${text}`, split),
    typeOfName: (text) => () => typeOfName(text),
    nameNote: (text) => () => nameNote(text),
    createTextCleaner: (text) => () => createTextCleaner()(text),
    countCharacters: (text) => () => countCharacters(text),
    splitSentences: (text) => () => splitSentences(text),
    "splitSentences after a mark": (text) => () => splitSentences(`.${text}`),
    isStorableText: (text) => () => isStorableText(text),
  },
};

function withBytes(text: string, scan: (bytes: Uint8Array<ArrayBuffer>) => unknown): () => unknown {
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return () => scan(bytes);
}

/** Looks at a file as an upload does, to its end. */
async function checkAs(extension: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  try {
    for await (const _block of checkContent(readOnce(bytes), fileTypes.get(extension)!));
  } catch (error) {
    if (!(error instanceof UnacceptableFile)) throw error;
  }
}

/** Takes the parts from the body of an upload whose boundary is `--`, which looks most like the attacker's text. */
async function split(body: Uint8Array<ArrayBuffer>): Promise<void> {
  const chunks = ReadableStream.from([body]);
  try {
    for await (const _part of splitParts(chunks, "--"));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

function defuse(text: string): () => unknown {
  return withBytes(text, (bytes) => defusePdf(bytes.slice()));
}

function layOut(lines: string[]): () => unknown {
  const items = lines.map((str, i) => ({
    str,
    dir: "ltr",
    transform: [1, 0, 0, 1, 0, -i],
    width: 9,
    height: 10,
    hasEOL: true,
  }));
  return () => layOutPage(joinLines(items), 1);
}

/** Reads a part of a document as its reader does, which only gets what is well-formed. */
function readPart(xml: string): unknown {
  checkXml(xml, { maxMarks: Infinity });
  const context = createContext(new Map(), "word/document.xml", () => undefined);
  return readBody(xml, context.inState({ counters: {}, header: undefined, lost: {} }));
}

function splitBlock(text: string, level: number | null): void {
  const splitter = createPassageSplitter();
  splitter.push({ text, page: null, level });
  splitter.end();
}

function unzip(bytes: Uint8Array): unknown {
  return unzipParts(bytes, { isWanted: () => true, maxBytes: 1_000_000 });
}
