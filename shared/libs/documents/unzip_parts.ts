import { Unzip, UnzipInflate } from "fflate";
import { concat } from "../base/std/bytes.ts";
import { unreadable, UnreadableDocument } from "./document_reader.ts";

// A slice of this size unpacks to 4 MB at most.
const sliceSize = 4096;
// The library takes longer for each file, the more there were before it.
const maxFiles = 10_000;
const endOfDirectory = "PK\x05\x06";

/**
 * Unpacks the files of a ZIP archive whose names are wanted, up to a sum of `maxBytes`; the others are skipped.
 * Throws UnreadableDocument for an archive that is damaged, holds more, or has more than 10,000 files.
 */
export function unzipParts(
  bytes: Uint8Array,
  { isWanted, maxBytes }: { isWanted: (name: string) => boolean; maxBytes: number },
): Map<string, Uint8Array> {
  if (!new TextDecoder("latin1").decode(bytes.subarray(-66_000)).includes(endOfDirectory)) throw unreadable.damaged();
  const parts = new Map<string, Uint8Array>();
  let total = 0;
  let files = 0;
  const unzip = new Unzip((file) => {
    if (++files > maxFiles) throw unreadable.tooLarge();
    if (!isWanted(file.name)) return;
    const chunks: Uint8Array[] = [];
    file.ondata = (error, chunk, isLast) => {
      if (error) throw error;
      total += chunk.length;
      if (total > maxBytes) throw unreadable.tooLarge();
      chunks.push(chunk);
      if (isLast) parts.set(file.name, concat(chunks));
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let start = 0; start < bytes.length; start += sliceSize) {
      unzip.push(bytes.subarray(start, start + sliceSize), start + sliceSize >= bytes.length);
    }
  } catch (error) {
    throw error instanceof UnreadableDocument ? error : unreadable.damaged();
  }
  return parts;
}
