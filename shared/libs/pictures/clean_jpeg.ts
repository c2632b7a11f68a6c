import { type Cleaned, createByteReader, requireWhole } from "./cleaned.ts";

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
export function cleanJpeg(bytes: Uint8Array): Cleaned {
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
