import { concat } from "../base/std/bytes.ts";
import { withCommas } from "../base/text.ts";

/** The types of pictures: how Storage names each, and how its file name ends. */
export const pictureTypes = {
  "image/png": { extension: "png", clean: cleanPng },
  "image/jpeg": { extension: "jpg", clean: cleanJpeg },
  "image/webp": { extension: "webp", clean: cleanWebp },
} satisfies Record<string, { extension: string; clean: (bytes: Uint8Array) => Cleaned }>;

type PictureType = keyof typeof pictureTypes;

/** A picture that holds nothing but its pixels. */
export type CleanPicture = { bytes: Uint8Array<ArrayBuffer>; type: PictureType; extension: string };

/** The most pixels on a side. A small file can decode to far more, which would fill the memory of whoever sees it. */
const maxSide = 4_096;

/**
 * Copies from a picture what shows its pixels, and nothing else: no Exif but the orientation of a photo, no XMP, IPTC,
 * comments, color profiles, previews or animations, and nothing that follows the picture. Its pixels are not decoded, and
 * stay as they are.
 *
 * @throws {UnusablePicture} with a sentence if it is not a whole picture of a known type
 */
export async function cleanPicture(bytes: Uint8Array): Promise<CleanPicture> {
  const type = await findType(bytes);
  const { extension, clean } = pictureTypes[type];
  const { parts, width, height } = clean(bytes);
  if (Math.min(width, height) < 1) throw new UnusablePicture("The picture is damaged");
  if (Math.max(width, height) > maxSide) {
    throw new UnusablePicture(`The picture must be at most ${withCommas(maxSide)} pixels wide and high`);
  }
  return { bytes: concat(parts), type, extension };
}

/** The type that the content has, whatever its sender says. */
async function findType(bytes: Uint8Array): Promise<PictureType> {
  const { fileTypeFromBuffer } = await import("file-type");
  // An animated PNG is one with additional parts, which are left out.
  const type = (await fileTypeFromBuffer(bytes))?.mime.replace("image/apng", "image/png") ?? "";
  if (!(type in pictureTypes)) throw new UnusablePicture("The picture must be a PNG, JPEG or WebP image");
  return type as PictureType;
}

/** The parts of a picture that show its pixels, and its size. */
type Cleaned = { parts: Uint8Array[]; width: number; height: number };

/** A picture that cannot be used. The message is a sentence for its sender. */
export class UnusablePicture extends Error {
  override name = "UnusablePicture";
}

/** @throws {UnusablePicture} unless the picture is as its format demands */
function requireWhole(isWhole: boolean): asserts isWhole {
  if (!isWhole) throw new UnusablePicture("The picture is damaged");
}

/** Reads numbers of a picture. @throws {UnusablePicture} past its end */
function createByteReader(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    slice(from: number, length: number): Uint8Array {
      requireWhole(from + length <= bytes.length);
      return bytes.subarray(from, from + length);
    },
    text(from: number, length: number): string {
      return String.fromCharCode(...this.slice(from, length));
    },
    byte(from: number): number {
      requireWhole(from < bytes.length);
      return bytes[from]!;
    },
    number(from: number, length: 2 | 4, order: "big" | "little"): number {
      requireWhole(from + length <= bytes.length);
      return length === 2 ? view.getUint16(from, order === "little") : view.getUint32(from, order === "little");
    },
  };
}

/** The chunks that show pixels, each with the bytes that it may have. Those of colors are plain numbers. */
const kept: Record<string, (length: number) => boolean> = {
  IHDR: (length) => length === 13,
  PLTE: (length) => length % 3 === 0 && length <= 768,
  tRNS: (length) => length <= 256,
  sRGB: (length) => length === 1,
  gAMA: (length) => length === 4,
  cHRM: (length) => length === 32,
  IDAT: () => true,
  IEND: (length) => length === 0,
};

/** Copies a PNG without texts, times, Exif, color profiles and animations. @throws {UnusablePicture} unless whole */
function cleanPng(bytes: Uint8Array): Cleaned {
  const reader = createByteReader(bytes);
  const parts = [reader.slice(0, 8)];
  const found = new Set<string>();
  for (let place = 8; !found.has("IEND");) {
    const length = reader.number(place, 4, "big");
    const name = reader.text(place + 4, 4);
    // Name, length and checksum surround the content.
    const chunk = reader.slice(place, length + 12);
    requireWhole((name === "IHDR") === (place === 8));
    if (kept[name]?.(length)) {
      parts.push(chunk);
      found.add(name);
    } else requireWhole(!["IHDR", "PLTE", "IEND"].includes(name));
    place += chunk.length;
  }
  requireWhole(found.has("IDAT"));
  return { parts, width: reader.number(16, 4, "big"), height: reader.number(20, 4, "big") };
}

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
const jfif = 0xe0;
const exif = 0xe1;
const adobe = 0xee;
/** Baseline, extended and progressive: what browsers show. */
const frames = [0xc0, 0xc1, 0xc2];
/** Tables: of Huffman codes, of quantization, and the restart interval. */
const tables = [0xc4, 0xdb, 0xdd];

/**
 * Copies a JPEG without all segments that show no pixels: Exif (but for the orientation), XMP, IPTC, comments, color
 * profiles, previews, further images.
 *
 * @throws {UnusablePicture} unless it is whole
 */
function cleanJpeg(bytes: Uint8Array): Cleaned {
  const reader = createByteReader(bytes);
  const parts: Uint8Array[] = [new Uint8Array([0xff, startOfImage])];
  const size = { width: 0, height: 0 };
  let [hasScan, isTurned] = [false, false];
  for (let place = 2;;) {
    requireWhole(reader.byte(place) === 0xff);
    const marker = reader.byte(place + 1);
    if (marker === 0xff) {
      // A byte that fills up.
      place += 1;
      continue;
    }
    if (marker === endOfImage) break;
    const length = reader.number(place + 2, 2, "big");
    requireWhole(length >= 2);
    const segment = reader.slice(place, length + 2);
    place += segment.length;
    if (frames.includes(marker)) {
      requireWhole(size.width === 0 && length >= 8);
      size.height = reader.number(place - length + 3, 2, "big");
      size.width = reader.number(place - length + 5, 2, "big");
      parts.push(segment);
    } else if (tables.includes(marker)) parts.push(segment);
    else if (marker === startOfScan) {
      requireWhole(size.width > 0);
      hasScan = true;
      const end = findEndOfScan(bytes, place);
      parts.push(segment, reader.slice(place, end - place));
      place = end;
    } else if (marker === jfif || marker === adobe) parts.push(...readColors(segment));
    else if (marker === exif && !isTurned) {
      const orientation = readOrientation(segment);
      isTurned = orientation.length > 0;
      parts.push(...orientation);
    } // Any other frame is one that browsers do not show.
    else requireWhole(marker >= 0xe0 || marker < 0xc0);
  }
  requireWhole(hasScan);
  parts.push(new Uint8Array([0xff, endOfImage]));
  return { parts, ...size };
}

/** The place of the first marker that is not a part of the scan, as restarts and escaped bytes are. */
function findEndOfScan(bytes: Uint8Array, begin: number): number {
  let place = bytes.indexOf(0xff, begin);
  while (place !== -1) {
    const next = bytes[place + 1];
    const isPart = next === 0 || next !== undefined && next >= 0xd0 && next <= 0xd7;
    if (!isPart) return place;
    place = bytes.indexOf(0xff, place + 2);
  }
  return bytes.length;
}

/** What the headers of JFIF and Adobe say of colors and of the shape of pixels, without a preview. */
function readColors(segment: Uint8Array): Uint8Array[] {
  const text = String.fromCharCode(...segment.subarray(4, 9));
  if (text === "JFIF\0" && segment.length >= 18) {
    const header = segment.slice(0, 18);
    // Its length, and a preview of 0 times 0 pixels.
    header.set([0, 16], 2);
    header.set([0, 0], 16);
    return [header];
  }
  if (text === "Adobe" && segment.length >= 16) {
    const header = segment.slice(0, 16);
    header.set([0, 14], 2);
    return [header];
  }
  return [];
}

/** Exif that says how the pixels are turned, and nothing else; none if they are upright. */
function readOrientation(segment: Uint8Array): Uint8Array[] {
  if (segment.length < 20 || String.fromCharCode(...segment.subarray(4, 10)) !== "Exif\0\0") return [];
  const view = new DataView(segment.buffer, segment.byteOffset + 10, segment.length - 10);
  const isLittle = view.getUint8(0) === 0x49;
  // The header names the place of the first list: the number of its fields, then 12 bytes for each.
  const list = view.getUint32(4, isLittle);
  const count = list + 2 <= view.byteLength ? view.getUint16(list, isLittle) : 0;
  const end = Math.min(list + 2 + 12 * count, view.byteLength);
  for (let field = list + 2; field + 12 <= end; field += 12) {
    const orientation = view.getUint16(field, isLittle) === 0x0112 ? view.getUint16(field + 8, isLittle) : 0;
    if (orientation < 2 || orientation > 8) continue;
    const header = "\xff\xe1\0\x22Exif\0\0MM\0\x2a\0\0\0\x08";
    const fields = `\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}\0\0\0\0\0\0`;
    return [Uint8Array.from(header + fields, (character) => character.charCodeAt(0))];
  }
  return [];
}

type Chunk = { name: string; content: Uint8Array };

/** Copies a WebP without Exif, XMP, color profiles. @throws {UnusablePicture} unless it is whole, or if animated */
function cleanWebp(bytes: Uint8Array): Cleaned {
  const chunks = readChunks(bytes);
  if (chunks.some(({ name }) => name === "ANIM" || name === "ANMF")) {
    throw new UnusablePicture("The picture must not be animated");
  }
  const image = chunks.find(({ name }) => name === "VP8 " || name === "VP8L");
  requireWhole(image !== undefined);
  const size = readSize(image);
  // A lossless image has its transparency in itself.
  const alpha = image.name === "VP8 " ? chunks.find(({ name }) => name === "ALPH") : undefined;
  const kept = alpha === undefined ? [image] : [{ name: "VP8X", content: describeAlpha(size) }, alpha, image];
  const parts = kept.flatMap(writeChunk);
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  return { parts: [...writeHeader("RIFF", length), encode("WEBP"), ...parts], ...size };
}

function readChunks(bytes: Uint8Array): Chunk[] {
  const reader = createByteReader(bytes);
  const end = reader.number(4, 4, "little") + 8;
  requireWhole(end <= bytes.length);
  const chunks: Chunk[] = [];
  for (let place = 12; place < end;) {
    const length = reader.number(place + 4, 4, "little");
    requireWhole(place + 8 + length <= end);
    chunks.push({ name: reader.text(place, 4), content: reader.slice(place + 8, length) });
    // A byte fills up an odd length.
    place += 8 + length + length % 2;
  }
  return chunks;
}

function readSize({ name, content }: Chunk) {
  const reader = createByteReader(content);
  if (name === "VP8L") {
    requireWhole(reader.byte(0) === 0x2f);
    const bits = reader.number(1, 4, "little");
    return { width: (bits & 0x3fff) + 1, height: (bits >>> 14 & 0x3fff) + 1 };
  }
  // A key frame, and the code that every one has.
  requireWhole((reader.byte(0) & 1) === 0 && reader.slice(3, 3).join() === "157,1,42");
  return { width: reader.number(6, 2, "little") & 0x3fff, height: reader.number(8, 2, "little") & 0x3fff };
}

/** The extended header of a picture with transparency. */
function describeAlpha({ width, height }: { width: number; height: number }): Uint8Array {
  const header = new Uint8Array(10);
  header[0] = 0x10;
  for (const [place, side] of [[4, width - 1], [7, height - 1]] as const) {
    header.set([side & 0xff, side >>> 8 & 0xff, side >>> 16], place);
  }
  return header;
}

function writeChunk({ name, content }: Chunk): Uint8Array[] {
  return [...writeHeader(name, content.length), content, new Uint8Array(content.length % 2)];
}

function writeHeader(name: string, length: number): Uint8Array[] {
  const header = new Uint8Array(4);
  new DataView(header.buffer).setUint32(0, length, true);
  return [encode(name), header];
}

function encode(name: string): Uint8Array {
  return new TextEncoder().encode(name);
}
