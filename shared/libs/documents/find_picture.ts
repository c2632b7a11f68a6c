import { Buffer } from "node:buffer";
import { deflateSync } from "node:zlib";
import { concat } from "../base/std/bytes.ts";
import { inflateWithin } from "./inflate_within.ts";
import { parsePdfObject, type PdfObject } from "./parse_pdf_object.ts";

type Dictionary = Map<string, PdfObject>;

/** A picture in a PDF: where its data is in the file, and what its dictionary says. */
export type PdfPicture = { start: number; end: number; dictionary: Dictionary };

/** A picture as other programs read it; one in CCITT, JBIG2 or JPEG 2000 as it is, on the only page of a PDF. */
export type Picture = { bytes: Uint8Array<ArrayBuffer>; contentType: "image/jpeg" | "image/png" | "application/pdf" };

/** Of its pixels, where these have to be written anew: 0.3 s of the 2 s that an isolate has. */
const largest = 12_000_000;
/** The bytes that take as long as a row takes besides its own. */
const ofRow = 100;
/** The characters of objects that are read to find the picture of a page: usual ones have some hundreds. */
const mostRead = 250_000;

/** Of a page that is written anew, in points. */
const longestSide = 842;

/** More are no page, but a circle. */
const deepest = 10;

/**
 * Finds the largest picture that a page shows, itself or within a form on it. `pictures` are by the numbers of their
 * objects, and so are `plain`, the streams that are not packed; `objects` are the sources of others, with the numbers
 * before them unless they are packed.
 */
export function createPictureFinder(
  { objects, packedObjects, pictures, plain }: {
    objects: string[];
    packedObjects: Map<number, string>;
    pictures: Map<number, PdfPicture>;
    plain: Map<number, PdfPicture>;
  },
): (page: number, file: Uint8Array) => Picture | undefined {
  let sources: Map<number, string> | undefined;
  let unread = mostRead;

  function sourceOf(number: number): string | undefined {
    if (sources === undefined) {
      sources = new Map(packedObjects);
      for (const object of objects) {
        const [whole, name] = /^[\s\0]*(\d+)[\s\0]+\d+[\s\0]+obj/.exec(object) ?? [];
        if (whole !== undefined) sources.set(Number(name), object.slice(whole.length));
      }
    }
    return sources.get(number);
  }
  function follow(value: PdfObject | undefined): PdfObject | undefined {
    if (value === null || typeof value !== "object" || !("object" in value)) return value;
    const source = sourceOf(value.object) ?? "";
    unread -= source.length;
    if (unread < 0) return;
    try {
      return parsePdfObject(source, { mayGoOn: true });
    } catch {
      return;
    }
  }
  function resolve(value: PdfObject | undefined): Dictionary | undefined {
    const object = follow(value);
    return object instanceof Map ? object : undefined;
  }
  /** Those of a page may be its parent's. */
  function resourcesOf(page: number): Dictionary | undefined {
    let node = resolve({ object: page });
    for (let depth = 0; node !== undefined && depth < deepest; depth++) {
      const resources = resolve(node.get("/Resources"));
      if (resources !== undefined) return resources;
      node = resolve(node.get("/Parent"));
    }
  }
  function picturesIn(resources: Dictionary | undefined, depth: number): PdfPicture[] {
    const shown = [...resolve(resources?.get("/XObject"))?.values() ?? []].slice(0, 100);
    return shown.flatMap((value) => {
      const number = value !== null && typeof value === "object" && "object" in value ? value.object : NaN;
      const picture = pictures.get(number);
      if (picture !== undefined) return [picture];
      return depth === 0 ? [] : picturesIn(resolve(resolve(value)?.get("/Resources")), depth - 1);
    });
  }

  /** The numbers of a pixel, and the colors that these stand for; undefined where they are written in another way. */
  function readColors(
    value: PdfObject | undefined,
    isBase = false,
  ): { count: 1 | 3; palette?: Uint8Array } | undefined {
    const space = follow(value);
    if (space === "/DeviceGray" || space === "/G") return { count: 1 };
    if (space === "/DeviceRGB" || space === "/RGB") return { count: 3 };
    const [kind, base, _last, lookup] = Array.isArray(space) ? space : [];
    if (kind === "/CalGray") return { count: 1 };
    if (kind === "/CalRGB") return { count: 3 };
    const count = kind === "/ICCBased" ? resolve(base)?.get("/N") : undefined;
    if (count === 1 || count === 3) return { count };
    const colors = follow(lookup);
    const isText = colors instanceof Object && "string" in colors;
    if ((kind !== "/Indexed" && kind !== "/I") || !isText || isBase) return;
    if (readColors(base, true)?.count !== 3) return;
    const palette = Uint8Array.from(colors.string, (character) => character.charCodeAt(0));
    return { count: 1, palette: palette.subarray(0, Math.min(768, palette.length - palette.length % 3)) };
  }
  /** What the filter of a picture has to know. */
  function parametersOf(dictionary: Dictionary): Dictionary | undefined {
    return resolve([dictionary.get("/DecodeParms")].flat()[0]);
  }
  /** A PDF of one page that shows a picture. */
  function writePage({ start, end, dictionary }: PdfPicture, file: Uint8Array): Picture | undefined {
    const [width, height] = [dictionary.get("/Width"), dictionary.get("/Height")];
    if (typeof width !== "number" || typeof height !== "number") return;
    const [x, y] = [width, height].map((length) => Math.ceil(longestSide * length / Math.max(width, height)));
    const parameters = parametersOf(dictionary);
    const globals = parameters?.get("/JBIG2Globals");
    const shared = globals instanceof Object && "object" in globals ? plain.get(globals.object) : undefined;
    const colors = follow(dictionary.get("/ColorSpace"));
    const [isInk, isOwn] = [dictionary.get("/ImageMask") === true, /JPX/.test(filterOf(dictionary)!)];
    const image = [
      ...["/Width", "/Height", "/BitsPerComponent", "/ImageMask", "/Decode", "/Filter"].map((key) =>
        writeEntry(key, dictionary.get(key))
      ),
      // One in JPEG 2000 says it itself, the others are black and white; a mask has none.
      writeEntry("/ColorSpace", typeof colors === "string" ? colors : isInk || isOwn ? undefined : "/DeviceGray"),
    ];
    const how = [...parameters ?? []].map(([key, value]) => writeEntry(key, value)).join("");
    return {
      contentType: "application/pdf",
      bytes: writePdf([
        { entries: "/Type /Catalog /Pages 2 0 R" },
        { entries: "/Type /Pages /Count 1 /Kids [3 0 R]" },
        {
          entries: `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${x} ${y}] /Contents 4 0 R ` +
            "/Resources << /XObject << /Im 5 0 R >> >>",
        },
        { entries: "", data: `q ${x} 0 0 ${y} 0 0 cm /Im Do Q` },
        {
          entries: `/Type /XObject /Subtype /Image${image.join("")} ` +
            `/DecodeParms <<${how}${shared ? " /JBIG2Globals 6 0 R" : ""} >>`,
          data: file.subarray(start, end),
        },
        ...(shared ? [{ entries: "", data: file.subarray(shared.start, shared.end) }] : []),
      ]),
    };
  }
  /** Undefined where the pixels are written in another way. */
  function writePicture({ start, end, dictionary }: PdfPicture, file: Uint8Array): Picture | undefined {
    const filter = filterOf(dictionary)!;
    if (/CC|JB|JPX/.test(filter)) return writePage({ start, end, dictionary }, file);
    if (/DCT/.test(filter)) {
      return { bytes: file.slice(start, end) as Uint8Array<ArrayBuffer>, contentType: "image/jpeg" };
    }
    const [width, height, bits = 1] = ["/Width", "/Height", "/BitsPerComponent"].map((key) => dictionary.get(key));
    const colors = readColors(dictionary.get("/ColorSpace"));
    if (typeof width !== "number" || typeof height !== "number" || dictionary.has("/Decode")) return;
    if (colors === undefined || bits !== 1 && bits !== 8) return;
    const isPacked = filter !== "";
    const predictor = parametersOf(dictionary)?.get("/Predictor") ?? 1;
    if (predictor !== 1 && !(isPacked && typeof predictor === "number" && predictor >= 10)) return;
    const rowLength = Math.ceil(width * colors.count * bits / 8);
    const bytes = file.subarray(start, end);
    const data = predictor === 1 ? packRows(bytes, { rowLength, height, isPacked }) : bytes;
    return data && { bytes: writePng(data, { width, height, bits, ...colors }), contentType: "image/png" };
  }

  return (page, file) => {
    if (pictures.size === 0) return;
    unread = mostRead;
    const found = picturesIn(resourcesOf(page), 1);
    const [picture] = found.sort((a, b) => b.end - b.start - (a.end - a.start));
    return picture && writePicture(picture, file);
  };
}

/** The only filter of a picture that can be read, empty if it has none; undefined if it has another one, or several. */
export function filterOf(dictionary: Dictionary): string | undefined {
  const filters = [dictionary.get("/Filter") ?? dictionary.get("/F") ?? []].flat();
  if (filters.length === 0) return "";
  return filters.length === 1 &&
      /^\/(?:DCT(?:Decode)?|Fl(?:ateDecode)?|CCF|CCITTFaxDecode|JBIG2Decode|JPXDecode)$/.test(String(filters[0]))
    ? String(filters[0])
    : undefined;
}

/** An entry of a dictionary: numbers, names, true and false, and lists of them; all else is left out. */
function writeEntry(key: string, value: PdfObject | undefined): string {
  const values = [value ?? null].flat();
  if (!values.every((it) => ["string", "number", "boolean"].includes(typeof it))) return "";
  return ` ${key} ${Array.isArray(value) ? `[${values.join(" ")}]` : value}`;
}

/** A PDF file of objects, which have the numbers from 1 on. */
function writePdf(objects: { entries: string; data?: string | Uint8Array }[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const places: number[] = [];
  let size = 0;
  const write = (part: string | Uint8Array) => {
    const bytes = typeof part === "string" ? new TextEncoder().encode(part) : part;
    parts.push(bytes);
    size += bytes.length;
  };
  write("%PDF-1.7\n");
  for (const [i, { entries, data }] of objects.entries()) {
    places.push(size);
    write(`${i + 1} 0 obj\n<< ${entries}${data ? ` /Length ${data.length}` : ""} >>\n`);
    if (data) [`stream\n`, data, "\nendstream\n"].forEach(write);
    write("endobj\n");
  }
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`);
  write(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table.join("")}` +
      `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${size}\n%%EOF\n`,
  );
  return concat(parts);
}

/** Begins each row with the mark that it is as it stands, as PNG has it. Undefined if the data is damaged. */
function packRows(
  bytes: Uint8Array,
  { rowLength, height, isPacked }: { rowLength: number; height: number; isPacked: boolean },
): Uint8Array | undefined {
  // Also false for what is no number.
  if (!(rowLength >= 1 && (rowLength + ofRow) * height <= largest)) return;
  try {
    const data = Buffer.from(bytes.buffer, bytes.byteOffset + 2, bytes.length - 2);
    const pixels = isPacked ? inflateWithin(data, { limit: largest + height, likelyLength: data.length }) : bytes;
    const rows = new Uint8Array((rowLength + 1) * height);
    for (let row = 0; row < height; row++) {
      rows.set(pixels.subarray(row * rowLength, (row + 1) * rowLength), row * (rowLength + 1) + 1);
    }
    return deflateSync(rows, { level: 1 });
  } catch {
    return;
  }
}

type PngHeader = { width: number; height: number; bits: number; count: number; palette?: Uint8Array };

function writePng(data: Uint8Array, { width, height, bits, count, palette }: PngHeader): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([bits, palette ? 3 : count === 1 ? 0 : 2], 8);
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  return concat([
    signature,
    writeChunk("IHDR", header),
    ...(palette ? [writeChunk("PLTE", palette)] : []),
    writeChunk("IDAT", data),
    writeChunk("IEND", new Uint8Array()),
  ]);
}

function writeChunk(name: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(data.length + 12);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  chunk.set(new TextEncoder().encode(name), 4);
  chunk.set(data, 8);
  view.setUint32(data.length + 8, checksum(chunk.subarray(4, data.length + 8)));
  return chunk;
}

const checksums = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let i = 0; i < 8; i++) value = value & 1 ? 0xedb88320 ^ value >>> 1 : value >>> 1;
  return value;
});

/** CRC-32. */
function checksum(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = checksums[(value ^ byte) & 0xff]! ^ value >>> 8;
  return ~value >>> 0;
}
