import type { Buffer } from "node:buffer";
import { constants, inflateRawSync } from "node:zlib";
import { Inflate } from "fflate";

/** What deflate may make of a single byte. */
const mostOfByte = 1_032;
/** How many bytes may be unpacked before they are counted. */
const mostUncounted = 32_000_000;
const sliceSize = 4096;
/** A block that was stored as it is comes out when all of it is there: up to 65,535 bytes, and a few before them. */
const longestSilence = 65_540;

/**
 * Unpacks deflated data, whether it goes on behind its end or breaks off before it. `likelyLength` is where it should
 * end; that spares looking at what follows.
 *
 * zlib has a limit of its own, but the functions' Deno does not heed it. So data that may unpack to more than memory
 * holds is first unpacked piece by piece by something slower, to be counted.
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
    if (error instanceof RangeError) throw error;
    return inflateCounted(packed, { limit, mustEnd: false });
  }
}

function inflateCounted(packed: Buffer, { limit, mustEnd }: { limit: number; mustEnd: boolean }): Buffer {
  const counted = packed.length * mostOfByte <= mostUncounted ? packed.length : countWithin(packed, limit);
  // Nobody knows what uncounted data would unpack to, so the end has to come before it.
  const finishFlush = mustEnd || counted < packed.length ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
  // By default 16 kB are set aside for the smallest piece: 160 MB for 10,000 of them, until somebody collects them.
  const chunkSize = Math.min(Math.max(1_024, 4 * counted), 64 * 1_024);
  const inflated = inflateRawSync(packed.subarray(0, counted), { finishFlush, chunkSize });
  requireWithin(inflated.length, limit);
  return inflated;
}

/** How much of the data unpacks to no more than `limit` bytes: all of it, or as much as unpacks to anything. */
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
