import type { Buffer } from "node:buffer";
import { constants, inflateRawSync } from "node:zlib";
import { Inflate } from "fflate";

/** To how many bytes deflate may unpack a single one. */
export const mostOfByte = 1_032;
/** The most bytes that may be unpacked before they are counted. */
const mostUncounted = 32_000_000;
const sliceSize = 4096;
/** A block that is stored without packing comes out as a whole: up to 65,535 bytes, and a few before them. */
const longestSilence = 65_540;

/**
 * Unpacks deflated data. More bytes may follow its end, or it may be cut before its end. `likelyLength` is where it
 * should end: what follows is then not looked at.
 *
 * zlib has a limit, but the functions' Deno ignores it. Data that may unpack to more than fits into memory is therefore
 * unpacked twice: at first piece by piece, by something slower, to count the bytes.
 *
 * @throws {RangeError} when it unpacks to more than `limit` bytes
 * @throws {Error} when it is damaged.
 */
export function inflateWithin(
  packed: Buffer,
  { limit, likelyLength }: { limit: number; likelyLength: number },
): Buffer {
  try {
    return inflateCounted(packed.subarray(0, likelyLength), { limit, mustEnd: true });
  } catch (error) {
    // Damage stays damage, whatever follows.
    if (error instanceof RangeError || (error as { code?: string }).code === "Z_DATA_ERROR") throw error;
    return inflateCounted(packed, { limit, mustEnd: false });
  }
}

function inflateCounted(packed: Buffer, { limit, mustEnd }: { limit: number; mustEnd: boolean }): Buffer {
  const counted = packed.length * mostOfByte <= mostUncounted ? packed.length : countWithin(packed, limit);
  // It is unknown to how much uncounted data would unpack, so the end has to come before it.
  const finishFlush = mustEnd || counted < packed.length ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
  // The default would reserve 16 kB for the smallest piece: 160 MB for 10,000 of them, until they are collected.
  const chunkSize = Math.min(Math.max(1_024, 4 * counted), 64 * 1_024);
  const inflated = inflateRawSync(packed.subarray(0, counted), { finishFlush, chunkSize });
  requireWithin(inflated.length, limit);
  return inflated;
}

/** The part of the data that unpacks to no more than `limit` bytes, all of it or as much as unpacks to anything. */
function countWithin(packed: Buffer, limit: number): number {
  let [size, silence] = [0, 0];
  const inflate = new Inflate((chunk) => void (size += chunk.length));
  for (let start = 0; start < packed.length; start += sliceSize) {
    const before = size;
    inflate.push(packed.subarray(start, start + sliceSize));
    requireWithin(size, limit);
    silence = size === before ? silence + sliceSize : 0;
    if (silence > longestSilence) return Math.min(start + sliceSize, packed.length);
  }
  return packed.length;
}

function requireWithin(size: number, limit: number): void {
  if (size > limit) throw new RangeError(`Cannot unpack: more than ${limit} bytes`);
}
