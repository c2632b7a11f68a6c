import { Buffer } from "node:buffer";

const clearTable = 256;
const endOfData = 257;
const mostEntries = 4_096;

/**
 * Unpacks LZW data as PDF files have it (ISO 32000-1, 7.4.4): codes of 9 to 12 bits, which get longer one code early.
 * More bytes may follow its end.
 *
 * @throws {RangeError} when it unpacks to more than `limit` bytes
 * @throws {Error} when it is damaged, or has no end.
 */
export function unpackLzw(packed: Buffer, { limit }: { limit: number }): Buffer {
  let unpacked = Buffer.allocUnsafe(Math.min(limit, 4 * packed.length + mostEntries));
  // The sequence of a code is a part of what is unpacked: the sequence before it, and one byte more.
  const [starts, lengths] = [new Uint32Array(mostEntries), new Uint32Array(mostEntries)];
  let [entries, width, held, bits] = [endOfData + 1, 9, 0, 0];
  let [size, last] = [0, 0];
  for (const byte of packed) {
    [held, bits] = [held << 8 | byte, bits + 8];
    if (bits < width) continue;
    bits -= width;
    const code = held >> bits;
    held &= (1 << bits) - 1;
    if (code === endOfData) return unpacked.subarray(0, size);
    if (code === clearTable) {
      [entries, width, last] = [endOfData + 1, 9, 0];
      continue;
    }
    if (last > 0 && entries < mostEntries) {
      [starts[entries], lengths[entries]] = [size - last, last + 1];
      entries++;
      if (entries + 1 === 1 << width && width < 12) width++;
    }
    if (code >= entries) throw new Error("Cannot unpack: unknown code");
    last = code < clearTable ? 1 : lengths[code]!;
    if (size + last > limit) throw new RangeError(`Cannot unpack: more than ${limit} bytes`);
    if (size + last > unpacked.length) {
      const longer = Buffer.allocUnsafe(Math.min(limit, 2 * unpacked.length));
      unpacked.copy(longer);
      unpacked = longer;
    }
    if (code < clearTable) unpacked[size] = code;
    // Byte by byte: the newest sequence ends with its own first byte.
    else for (let i = 0; i < last; i++) unpacked[size + i] = unpacked[starts[code]! + i]!;
    size += last;
  }
  throw new Error("Cannot unpack: no end");
}
