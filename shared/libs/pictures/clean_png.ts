import { type Cleaned, createByteReader, requireWhole } from "./cleaned.ts";

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

/**
 * Copies a PNG without all other chunks: texts, times, Exif, color profiles, animations.
 *
 * @throws {UnusablePicture} unless it is whole
 */
export function cleanPng(bytes: Uint8Array): Cleaned {
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
