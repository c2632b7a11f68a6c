import { type Block, type DocumentReader, type Loss, unreadable, UnreadableDocument } from "./document_reader.ts";

/** In characters. A step of this size makes about 20 passages. */
const stepSize = 32 * 1024;

/** A document that consists of parts, such as slides or chapters, each of which is read as a whole. */
export type PartsOfDocument = {
  count: number;
  /** Reads one, from 0. What is lost is counted in `lost`. */
  readPart(index: number, lost: Record<string, number>): Block[] | Promise<Block[]>;
  /** The warnings at the end, by what was lost. */
  describe?(lost: Record<string, number>): Loss[];
  hasPictures?: boolean;
};

/** Reads the blocks of one part after the other; `part` of its position counts the parts, `offset` the blocks of one. */
export function createPartsReader({ count, readPart, describe, hasPictures }: PartsOfDocument): DocumentReader {
  let last: { part: number; read: Promise<{ blocks: Block[]; lost: Record<string, number> }> } | undefined;

  async function read(part: number): Promise<{ blocks: Block[]; lost: Record<string, number> }> {
    const lost: Record<string, number> = {};
    try {
      return { blocks: part < count ? await readPart(part, lost) : [], lost };
    } catch (error) {
      throw error instanceof UnreadableDocument ? error : unreadable.damaged();
    }
  }

  return {
    async read({ part = 0, offset, lost: lostBefore = {} }) {
      if (last?.part !== part) last = { part, read: read(part) };
      const { blocks, lost } = await last.read;
      let end = offset;
      for (let size = 0; end < blocks.length && size < stepSize; end++) size += blocks[end]!.text.length;
      const step = { blocks: blocks.slice(offset, end) };
      if (end < blocks.length) return { ...step, next: { part, offset: end, lost: lostBefore } };
      const all = addLosses(lostBefore, lost);
      if (part + 1 < count) return { ...step, next: { part: part + 1, offset: 0, lost: all } };
      return { ...step, next: null, losses: (describe ?? lossesOf)(all), hasPictures };
    },

    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** The losses, as the last step of a reader tells them. */
export function lossesOf(lost: Record<string, number>): Loss[] {
  return Object.entries(lost).map(([kind, count]) => ({ kind: kind as Loss["kind"], count }));
}

function addLosses(a: Record<string, number>, b: Record<string, number>): Record<string, number> {
  const sum = { ...a };
  for (const [kind, count] of Object.entries(b)) sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}
