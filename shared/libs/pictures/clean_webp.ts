import { type Cleaned, createByteReader, requireWhole, UnusablePicture } from "./cleaned.ts";

type Chunk = { name: string; content: Uint8Array };

/**
 * Copies a WebP without all chunks that show no pixels: Exif, XMP, color profiles, unknown ones.
 *
 * @throws {UnusablePicture} unless it is whole, or if it is animated
 */
export function cleanWebp(bytes: Uint8Array): Cleaned {
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
