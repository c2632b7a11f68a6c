import { errors } from "../../infra/errors.ts";
import { concat, indexOfNeedle } from "../../libs/base/std/bytes.ts";
import { maxBytes, maxPartHeaderBytes, maxParts } from "./limits.ts";

/** Reads the next bytes. Returns null at the end, and whenever it is called after that. */
export type ReadNext = () => Promise<Uint8Array<ArrayBuffer> | null>;

/** Reads bytes that are already in memory, in one piece. */
export function readOnce(bytes: Uint8Array<ArrayBuffer>): ReadNext {
  let rest: Uint8Array<ArrayBuffer> | null = bytes;
  return () => {
    const next = rest;
    rest = null;
    return Promise.resolve(next);
  };
}

/** A part of a multipart body. */
export type Part = {
  /** The bytes of the header lines. */
  headers: Uint8Array<ArrayBuffer>;
  /** Reads its content, as it arrives. */
  read: ReadNext;
};

const encoder = new TextEncoder();
const lineBreak = encoder.encode("\r\n");
const blankLine = encoder.encode("\r\n\r\n");
const dash = 45;
const carriageReturn = 13;

/**
 * The parts of a multipart body, one after the other; unread content is skipped. Memory is only used for the headers of
 * a part and twice the size of an arriving chunk. The available packages either hold a whole part in memory or reject
 * more names than this service does.
 *
 * @throws 400 if the body is malformed; 413 past 100 MB of content.
 */
export async function* splitParts(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  boundary: string,
): AsyncGenerator<Part> {
  const delimiter = encoder.encode(`\r\n--${boundary}`);
  const source = chunks[Symbol.asyncIterator]();
  // The first delimiter needs no line break before it. What precedes it is ignored: some clients send an empty line.
  let rest = lineBreak;
  let size = 0;
  for (let start; (start = findDelimiter(rest, delimiter)) !== 0;) {
    rest = rest.subarray(start === -1 ? Math.max(rest.length - delimiter.length + 1, 0) : start);
    if (start === -1) await fill();
  }
  for (let count = 1;; count++) {
    rest = rest.subarray(delimiter.length);
    await fillTo(2);
    if (rest[0] === dash && rest[1] === dash) break;
    if (count > maxParts) throw errors.malformedUpload();
    const part: Part = { headers: await readHeaders(), read: readContent() };
    yield part;
    while (await part.read() !== null);
  }
  // The rest is ignored, but clients may send all of it before they read the reply.
  while (!(await source.next()).done);

  async function fill() {
    const { value, done } = await source.next();
    if (done) throw errors.malformedUpload();
    rest = join(rest, value);
  }
  async function fillTo(length: number) {
    while (rest.length < length) await fill();
  }

  async function readHeaders() {
    let end: number;
    for (let from = 0; (end = indexOfNeedle(rest, blankLine, from)) === -1;) {
      if (rest.length > maxPartHeaderBytes) throw errors.malformedUpload();
      from = Math.max(rest.length - blankLine.length + 1, 0);
      await fill();
    }
    const headers = rest.subarray(0, end);
    rest = rest.subarray(end + blankLine.length);
    return headers;
  }

  /** After it has returned null, the remaining bytes start with a delimiter. */
  function readContent(): ReadNext {
    let isOver = false;
    return async () => {
      while (!isOver) {
        const end = findDelimiter(rest, delimiter);
        isOver = end !== -1;
        // The last bytes may be the beginning of a delimiter.
        const length = isOver ? end : Math.max(rest.length - delimiter.length + 1, 0);
        const content = rest.subarray(0, length);
        rest = rest.subarray(length);
        if (!isOver && length === 0) await fill();
        size += length;
        if (size > maxBytes) throw errors.bodyTooLarge("100 MB");
        if (length > 0) return content;
      }
      return null;
    };
  }
}

/**
 * Returns the position of the first delimiter, or -1. Only the first byte of a delimiter is a carriage return, so no
 * byte is compared more than twice, whatever the content is.
 */
function findDelimiter(bytes: Uint8Array, delimiter: Uint8Array): number {
  const last = bytes.length - delimiter.length;
  let near = 0;
  for (let at = 0; at <= last; at++) {
    // The search of the engine is fast, but each call takes time: soon after a find, it does not pay.
    if (at >= near) at = bytes.indexOf(carriageReturn, at);
    if (at === -1 || at > last) return -1;
    if (bytes[at] !== carriageReturn) continue;
    let matched = 1;
    while (matched < delimiter.length && bytes[at + matched] === delimiter[matched]) matched++;
    if (matched === delimiter.length) return at;
    near = at + 32;
  }
  return -1;
}

/** Joins two pieces. If they are already adjacent in one block, the result is a view of it. */
function join(first: Uint8Array<ArrayBuffer>, second: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const isSideBySide = first.buffer === second.buffer && first.byteOffset + first.length === second.byteOffset;
  if (isSideBySide) return new Uint8Array(first.buffer, first.byteOffset, first.length + second.length);
  return concat([first, second]);
}
