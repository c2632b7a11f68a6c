import { checkXml } from "./check_xml.ts";
import { unreadable, UnreadableDocument } from "./document_reader.ts";
import { Unzip, UnzipInflate } from "fflate";
import { concat } from "../base/std/bytes.ts";

const maxBytes = 16_000_000;
/** The limit for the tags and attributes of the parts that are looked at in one step. */
const maxMarks = 300_000;
/** The first bytes of an encrypted document, which is not a ZIP archive. */
const compoundFile = [0xd0, 0xcf, 0x11, 0xe0];

/** The parts of a packed document. Their names are found in any case: some programs write another than they refer to. */
export type Package = {
  /** Undefined where it has no such part. */
  bytes(name: string): Uint8Array | undefined;
  /** A part as text; empty where it has no such part. */
  text(name: string): string;
  /** A part that is XML; empty where it has no such part. Throws UnreadableDocument if it is damaged, or too much in a step. */
  xml(name: string): string;
  nextStep(): void;
};

/** Unpacks a document that is a ZIP archive. Throws UnreadableDocument if that is encrypted, damaged, or holds too much. */
export function openPackage(
  bytes: Uint8Array,
  { isWanted, most = maxBytes }: { isWanted: (name: string) => boolean; most?: number },
): Package {
  if (isCompoundFile(bytes)) throw unreadable.encrypted();
  const unpacked = unzipParts(bytes, { isWanted: (name) => isWanted(plain(name)), maxBytes: most });
  const parts = new Map(Array.from(unpacked, ([name, part]) => [plain(name).toLowerCase(), part]));
  let marksLeft = maxMarks;
  const partOf = (name: string) => parts.get(plain(name).toLowerCase());
  const textOf = (name: string) => decodeXml(partOf(name) ?? new Uint8Array());
  return {
    bytes: partOf,
    text: textOf,
    xml(name) {
      // Older books have one. Nothing is declared outside its brackets, and nothing is read from elsewhere.
      const text = textOf(name).replace(/^([^<]*(?:<\?[^>]*>\s*|<!--[^>]*-->\s*){0,5})<!DOCTYPE[^>[]{0,500}>/, "$1");
      marksLeft -= checkXml(text, { maxMarks: marksLeft });
      return text;
    },
    nextStep: () => void (marksLeft = maxMarks),
  };
}

/** Returns whether a file is one of the older formats of Office, in which it also encrypts the newer ones. */
export function isCompoundFile(bytes: Uint8Array): boolean {
  return compoundFile.every((byte, i) => bytes[i] === byte);
}

export function decodeXml(part: Uint8Array): string {
  const isUtf16 = part[0] === 0xff && part[1] === 0xfe || part[0] === 0xfe && part[1] === 0xff;
  return new TextDecoder(!isUtf16 ? "utf-8" : part[0] === 0xff ? "utf-16le" : "utf-16be").decode(part);
}

function plain(name: string): string {
  return name.replaceAll("\\", "/").replace(/^\//, "");
}

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
