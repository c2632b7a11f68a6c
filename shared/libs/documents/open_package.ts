import { checkXml } from "./check_xml.ts";
import { unreadable } from "./document_reader.ts";
import { unzipParts } from "./unzip_parts.ts";

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
  /** Begins another step. */
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
