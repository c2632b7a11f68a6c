import { detectEncoding } from "./detect_encoding.ts";
import type { DocumentReader } from "./document_reader.ts";
import { type LinkDefinitions, parseMarkdown, readLinkDefinitions } from "./parse_markdown.ts";

/** A step of this size makes about 20 passages. */
const stepSize = 32 * 1024;

/** Reads plain text or Markdown; `offset` is in bytes. */
export function createTextReader(bytes: Uint8Array, { isMarkdown }: { isMarkdown: boolean }): DocumentReader {
  let definitions: LinkDefinitions | undefined;
  return {
    async read({ offset, encoding, fence, header }) {
      encoding ??= await detectEncoding(bytes);
      const end = findCut(bytes, { from: offset, encoding, size: stepSize });
      // A later step must not take a character for a byte order mark.
      const text = new TextDecoder(encoding, { ignoreBOM: offset > 0 }).decode(bytes.subarray(offset, end))
        .replace(/\r\n?/g, "\n");
      const next = end < bytes.length ? { offset: end, encoding } : null;
      if (!isMarkdown) {
        const paragraphs = text.split(/\n\s*\n|\f/);
        return { blocks: paragraphs.map((text) => ({ text, page: null, level: null })), next };
      }
      definitions ??= readLinkDefinitions(new TextDecoder(encoding).decode(bytes));
      const parsed = parseMarkdown(text, { isBeginning: offset === 0, fence, header, definitions });
      return { blocks: parsed.blocks, next: next && { ...next, fence: parsed.fence, header: parsed.header } };
    },

    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** The end of a stretch of about `size` bytes: after a blank line, else a line break, else a whole character. */
export function findCut(
  bytes: Uint8Array,
  { from, encoding, size }: { from: number; encoding: string; size: number },
): number {
  const to = from + size;
  if (to >= bytes.length) return bytes.length;
  const width = encoding.startsWith("utf-16") ? 2 : 1;
  const low = encoding === "utf-16be" ? 1 : 0;
  // In every encoding that browsers know, a unit of this value is a line break and never a part of a character.
  const isLineBreak = (i: number) => bytes[i + low] === 10 && (width === 1 || bytes[i + 1 - low] === 0);
  let lastBreak = 0;
  for (let i = to - width; i > from; i -= width) {
    if (!isLineBreak(i)) continue;
    lastBreak ||= i + width;
    const before = bytes[i - width + low] === 13 ? i - 2 * width : i - width;
    if (before > from && isLineBreak(before)) return i + width;
  }
  return lastBreak || lastCharacter(bytes, { from, to, encoding });
}

function lastCharacter(
  bytes: Uint8Array,
  { from, to, encoding }: { from: number; to: number; encoding: string },
): number {
  for (let end = to; end > to - 4; end--) {
    const decoder = new TextDecoder(encoding);
    decoder.decode(bytes.subarray(from, end), { stream: true });
    if (decoder.decode() === "") return end;
  }
  return to;
}
