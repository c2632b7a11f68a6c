import { Buffer } from "node:buffer";
import { type ActualText, findActualTexts } from "./actual_texts.ts";
import { countMappedCodes } from "./count_mapped_codes.ts";
import { type Encryption, readEncryption, type StreamName } from "./decrypt_pdf.ts";
import { inflateWithin, mostOfByte } from "./inflate_within.ts";
import { createPictureFinder, filterOf as filterOfPicture, type PdfPicture, type Picture } from "./find_picture.ts";
import { parsePdfObject, type PdfObject } from "./parse_pdf_object.ts";
import { unreadable, UnreadableDocument } from "./document_reader.ts";
import { unpackLzw } from "./unpack_lzw.ts";

// pdf.js holds a whole stream in memory, and two copies while it grows. Objects cost it many times their size.
const maxStream = 32_000_000;
/** About 600 ms of the 2 s that an isolate has: unpacking takes 3 ms a megabyte on the functions' Deno. */
const maxTotal = 200_000_000;
const maxObjectStream = 8_000_000;
const maxObjects = 500_000;
const maxMappedCodes = 500_000;
/** The least cost of a stream, in bytes: 40 µs to unpack it, 5 µs to skip one that is not packed. */
const leastWork = 12_000;
const leastWorkUnpacked = 1_500;
/** Decrypting takes a part of the time that unpacking does. */
const decryptionWork = 0.5;
/** Unpacking LZW takes 10 ms a megabyte. */
const lzwWork = 4;
/** The limit for all streams that one object names. */
const maxOfObject = 64_000_000;
const longestDictionary = 64 * 1024;
/**
 * References to objects, as PDF writes them. A number before a comment is taken for one too: to find out what follows
 * the comments after each number would take more than one look at them.
 */
const references = /(?<!\d)(\d+)[\s\0]*(?:%|(?<=[\s\0])\d+[\s\0]*(?:%|(?<=[\s\0])R))/g;

/** Objects that are the name of a filter, or a list of such names. */
const filterObjects = /(?<!\d)(\d+)[\s\0]+\d+[\s\0]+obj[\s\0]*(\/[A-Za-z\d]{1,20}|\[[^\][]{0,100}\])[\s\0]*endobj/g;
const filterEntry = /\/F(?:ilter)?(?:[\s\0]*\[[^\][()<>]*\]|[\s\0]+\d+[\s\0]+\d+[\s\0]+R)/g;
const reference = /(\d+)[\s\0]+\d+[\s\0]+R/g;
const zlibHeader = 2;
const keyword = "stream";
/** As long as the keyword, so that everything in the file keeps its place. */
const hidden = "endobj";

const flate = ["/FlateDecode", "/Fl"];
const ascii85 = ["/ASCII85Decode", "/A85"];
const asciiHex = ["/ASCIIHexDecode", "/AHx"];
const lzw = ["/LZWDecode", "/LZW"];
const unsupported = ["/RunLengthDecode", "/RL", "/BrotliDecode"];
const packers = [...flate, ...lzw, ...unsupported];
const textFilters = [...packers, ...ascii85, ...asciiHex];

const contents = /\/Contents[\s\0]*(\[[^\][()<>]*\]|\d+[\s\0]+\d+[\s\0]+R)/;

/** The findings on the way. */
export type DefusedPdf = {
  hasPictures: boolean;
  /** Streams are packed in a way that is not unpacked here. They are hidden. */
  isOutdated: boolean;
  /** The texts of the marked parts of pages that have any, by the numbers of their objects. */
  actualTexts: Map<number, ActualText[]>;
  /** The largest picture of a page, by the number of the page's object; `file` is as it was before. */
  pictureOf(page: number, file: Uint8Array): Picture | undefined;
};

type Dictionary = Map<string, PdfObject>;
/** Counts work. Throws when it is too much. */
type Spend = (bytes: number) => void;

/**
 * Makes a PDF file safe for pdf.js, which unpacks without limits. Every stream is unpacked against a limit first.
 * Streams without text (images, attachments), and those whose packing is unclear or damaged, are hidden from pdf.js: their
 * keyword in `bytes` is overwritten. So is the name of an object that says how a stream is packed, by what it says.
 *
 * @returns what was found on the way
 * @throws {UnreadableDocument} when the file is encrypted in an unknown way, or unpacks to too much.
 */
export function defusePdf(bytes: Uint8Array): DefusedPdf {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = decodeBytes(file);
  const encryption = readEncryption(file, text);
  const filterOf = createFilterFinder(text);
  let total = 0;
  const spend: Spend = (bytes) => {
    total += bytes;
    // Files without bad intent may come here too.
    if (total > maxTotal) throw unreadable.tooLarge();
  };
  const sizes = new Map<number, number>();
  const markedStreams = new Map<number, ActualText[]>();
  const pictures = new Map<number, PdfPicture>();
  const plain = new Map<number, PdfPicture>();
  const packedObjects = new Map<number, string>();
  const objects: string[] = [];
  const addObjects = (found: string[]) => found.forEach((object) => objects.push(object));
  let last = 0;
  let [hasPictures, isOutdated] = [false, false];
  const places = [...findStreams(text)];
  for (const [i, at] of places.entries()) {
    const between = textBetween(text, { from: last, to: at });
    const next = places[i + 1] ?? text.length;
    const dictionary = readDictionary(writeFilters(between, { file, at, filterOf }));
    hasPictures ||= dictionary?.get("/Subtype") === "/Image";
    isOutdated ||= dictionary !== undefined && isUnsupported(dictionary, readFilters(dictionary) ?? []);
    const name = readObjectName(between);
    const stream = readStream({ file, text, at, next, dictionary, spend, encryption, name });
    if (stream === undefined) file.write(hidden, at, "latin1");
    else sizes.set(name.number, stream.size);
    if (stream?.marked !== undefined) markedStreams.set(name.number, stream.marked);
    addObjects(between.split("endobj"));
    addObjects(stream?.objects ?? []);
    stream?.numbers.forEach((number, i) => packedObjects.set(number, stream.objects[i]!));
    const found = encryption === undefined && dictionary !== undefined && findPicture(dictionary, { text, at, next });
    if (found) (dictionary!.has("/Subtype") ? pictures : plain).set(name.number, found);
    last = at;
  }
  addObjects(textBetween(text, { from: last, to: text.length }).split("endobj"));
  if (objects.some((object) => sizeOfReferences(object, sizes) > maxOfObject)) throw unreadable.explosive();
  return {
    hasPictures,
    isOutdated,
    actualTexts: findMarkedPages(objects, markedStreams),
    pictureOf: createPictureFinder({ objects, packedObjects, pictures, plain }),
  };
}

/** A picture, or a stream that is not packed, such as what several pictures share. Undefined for all other streams. */
function findPicture(
  dictionary: Dictionary,
  { text, at, next }: { text: string; at: number; next: number },
): PdfPicture | undefined {
  const isPlain = !dictionary.has("/Subtype") && !dictionary.has("/Filter");
  const isPicture = dictionary.get("/Subtype") === "/Image" && filterOfPicture(dictionary) !== undefined;
  if (!isPlain && !isPicture) return;
  const start = startOfData(text, { at, next });
  const length = dictionary.get("/Length");
  const declaredEnd = start !== undefined && typeof length === "number" ? start + length : 0;
  if (start === undefined) return;
  const end = endOfData(text, { start, declaredEnd, next });
  if (end === undefined) return;
  return { start, end: declaredEnd > start && declaredEnd <= end ? declaredEnd : end, dictionary };
}

/** The texts of pages, whose content may be several streams. */
function findMarkedPages(objects: string[], streams: Map<number, ActualText[]>): Map<number, ActualText[]> {
  const pages = new Map<number, ActualText[]>();
  if (streams.size === 0) return pages;
  for (const object of objects) {
    const content = contents.exec(object)?.[1];
    if (content === undefined) continue;
    const texts = Array.from(content.matchAll(reference), ([, number]) => streams.get(Number(number)) ?? []).flat();
    if (texts.length > 0) pages.set(readObjectName(object.slice(0, object.indexOf("obj") + 3)).number, texts);
  }
  return pages;
}

/**
 * The bytes as a text of one character each, so that places are the same in both. `Buffer` is not used: it takes 90 ms
 * and 35 MB for each megabyte on the functions' Deno.
 */
function decodeBytes(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

/** The places at which pdf.js may find a stream. */
function* findStreams(text: string): Generator<number> {
  for (let at = text.indexOf(keyword); at !== -1; at = text.indexOf(keyword, at + keyword.length)) {
    if (followsDictionary(text, at)) yield at;
  }
}

/** Returns whether `>>` comes right before a place, or a comment that may hide it. */
function followsDictionary(text: string, at: number): boolean {
  let end = at;
  while (end > 0 && "\0\t\n\f\r ".includes(text[end - 1]!)) end--;
  if (text[end - 1] === ">") return text[end - 2] === ">";
  if (!/[\r\n]/.test(text.slice(end, at))) return false;
  while (end > 0 && !"\n\r%".includes(text[end - 1]!)) end--;
  return text[end - 1] === "%";
}

/** The text between a stream and the next. */
function textBetween(text: string, { from, to }: { from: number; to: number }): string {
  const between = text.slice(from, to);
  return between.slice(Math.max(0, between.indexOf("endstream")));
}

/** The size of the streams that an object names, each as often as it is named: pdf.js joins the contents of a page. */
function sizeOfReferences(object: string, sizes: Map<number, number>): number {
  let size = 0;
  for (const [, number] of object.matchAll(references)) size += sizes.get(Number(number)) ?? 0;
  return size;
}

/** The dictionary that the last object of a text consists of, if it is one. */
function readDictionary(text: string): Dictionary | undefined {
  const start = text.lastIndexOf("obj") + 3;
  if (start < 3 || text.length - start > longestDictionary) return;
  try {
    const object = parsePdfObject(text.slice(start));
    return object instanceof Map ? object : undefined;
  } catch {
    return;
  }
}

function readObjectName(text: string): StreamName {
  const start = text.lastIndexOf("obj");
  const name = /(?<!\d)(\d+)[\s\0]+(\d+)[\s\0]*$/.exec(text.slice(Math.max(0, start - 64), start));
  return { number: Number(name?.[1]), generation: Number(name?.[2]) };
}

/** The short names of filters. They fit into the place of a reference. */
function shorten(filters: string): string {
  const short = filters.replaceAll("FlateDecode", "Fl").replaceAll("ASCII85Decode", "A85")
    .replaceAll("ASCIIHexDecode", "AHx").replaceAll("LZWDecode", "LZW").replaceAll("RunLengthDecode", "RL");
  return short.replace(/[[\]]/g, " ").trim().replace(/[\s\0]+(?=\/)/g, "");
}

/** Looks for the objects that name filters only where a stream refers to one. */
function createFilterFinder(text: string): (object: number) => string | undefined {
  let found: Map<number, string> | undefined;
  return (object) => {
    found ??= new Map([...text.matchAll(filterObjects)].map(([, number, filters]) => [Number(number), filters!]));
    return found.get(object);
  };
}

type FilterPlace = { file: Buffer; at: number; filterOf: (object: number) => string | undefined };

/**
 * Writes the names of filters in the place of references to them, to a text that ends at `at` and to the file: what is
 * checked is what pdf.js reads, whichever object it would have found.
 */
function writeFilters(text: string, { file, at, filterOf }: FilterPlace): string {
  const start = text.lastIndexOf("obj") + 3;
  if (start < 3 || text.length - start > longestDictionary) return text;
  const written = text.slice(start).replace(filterEntry, (entry) => {
    const isList = entry.includes("[");
    return entry.replace(reference, (whole, number) => {
      const filters = shorten(filterOf(Number(number)) ?? "");
      const value = isList || filters.indexOf("/", 1) === -1 ? filters : `[${filters}]`;
      return value !== "" && value.length <= whole.length ? value.padEnd(whole.length) : whole;
    });
  });
  if (written !== text.slice(start)) file.write(written, at - written.length, "latin1");
  return text.slice(0, start) + written;
}

/** The filters of a stream that may hold text. */
function readFilters(dictionary: Dictionary): string[] | undefined {
  if (dictionary.get("/Subtype") === "/Image" || dictionary.get("/Type") === "/EmbeddedFile") return;
  const filters = ["/F", "/Filter"].map((key) => dictionary.get(key) ?? []).flat();
  const isKnown = (filter: PdfObject): filter is string => textFilters.includes(filter as string);
  return filters.every(isKnown) ? filters : undefined;
}

/** Also LZW with parameters, which may change the length of its codes. */
function isUnsupported(dictionary: Dictionary, filters: string[]): boolean {
  const hasParameters = dictionary.has("/DecodeParms") || dictionary.has("/DP");
  return filters.some((filter) => unsupported.includes(filter) || hasParameters && lzw.includes(filter));
}

/** `at` and `next` are the places of its keyword and of that of the next stream. */
type StreamPlace = {
  file: Buffer;
  text: string;
  at: number;
  next: number;
  dictionary: Dictionary | undefined;
  spend: Spend;
  encryption: Encryption | undefined;
  name: StreamName;
};
/** Bytes that begin with the data of a stream: where it ends, and where it should end. */
type PackedData = { bytes: Buffer; length: number; hasEnd: boolean; declaredLength: number };
/** `objects` are the objects that are packed in it. */
type PdfStream = { size: number; objects: string[]; numbers: number[]; marked?: ActualText[] };

/** Nothing if pdf.js must not read it: it has no text, or is damaged, and pdf.js would read on where others stop. */
function readStream(place: StreamPlace): PdfStream | undefined {
  const { text, at, next, dictionary, spend, encryption } = place;
  const filters = dictionary && readFilters(dictionary);
  if (dictionary === undefined || filters === undefined) return;
  if (filters.filter((filter) => packers.includes(filter)).length > 1) throw unreadable.explosive();
  if (isUnsupported(dictionary, filters)) return;
  if (dictionary.has("/W") && !(countEntries(dictionary) <= maxObjects)) throw unreadable.explosive();

  const holdsObjects = dictionary.has("/N") && dictionary.has("/First");
  const start = startOfData(text, { at, next });
  if (start === undefined) return;
  const length = dictionary.get("/Length");
  const declaredEnd = typeof length === "number" ? start + length : start;
  const end = endOfData(text, { start, declaredEnd, next });
  const stored = {
    bytes: place.file.subarray(start),
    length: (end ?? next) - start,
    hasEnd: end !== undefined,
    declaredLength: declaredEnd - start,
  };
  const [data] = decryptions(stored, place).map((packed) => {
    const unpacked = unpack(packed, { filters, holdsObjects, spend });
    if (unpacked?.includes("range") && countMappedCodes(decodeBytes(unpacked)) > maxMappedCodes) {
      throw unreadable.explosive();
    }
    return unpacked;
  });
  if (data === undefined) return;
  if (!holdsObjects) {
    const isMarked = data.includes("/ActualText") || data.includes("BDC") || data.includes("BMC");
    return {
      size: data.length,
      objects: [],
      numbers: [],
      ...(isMarked && { marked: findActualTexts(decodeBytes(data)) }),
    };
  }
  if (data.length > maxObjectStream) throw unreadable.explosive();
  const content = decodeBytes(data);
  // A stream among packed objects is against the standard, but pdf.js would unpack it.
  if (!findStreams(content).next().done) throw unreadable.explosive();
  const first = dictionary.get("/First");
  // pdf.js would take another key than what was checked.
  if (encryption?.number !== undefined && namesObject(content, { first, number: encryption.number })) {
    throw unreadable.encrypted();
  }
  return { size: data.length, ...splitObjects(content, first) };
}

/**
 * The data of a stream as pdf.js may decrypt it, the likely one first. The number of an object is a part of its key, and
 * pdf.js may be told to begin reading it at any of its digits. Tables of objects are not encrypted.
 */
function decryptions(stored: PackedData, { dictionary, encryption, name, spend }: StreamPlace): PackedData[] {
  if (encryption === undefined) return [stored];
  const likely = stored.bytes.subarray(0, Math.max(stored.length, stored.declaredLength));
  const digits = String(name.number);
  const others = Array.from(digits, (_, i) => Number(digits.slice(i)));
  const decrypted = others.map((number) => {
    spend(likely.length * decryptionWork);
    const bytes = encryption.decrypt(likely, { ...name, number });
    return { ...stored, bytes, length: Math.min(stored.length, bytes.length), isLikely: number === name.number };
  }).filter(({ bytes, isLikely }) => isLikely || hasZlibHeader(bytes));
  return dictionary?.get("/Type") === "/XRef" ? [stored, ...decrypted] : decrypted;
}

function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length > zlibHeader && (bytes[0]! & 15) === 8 && (bytes[0]! * 256 + bytes[1]!) % 31 === 0;
}

type Unpacking = { filters: string[]; holdsObjects: boolean; spend: Spend };

/** Nothing if the data is damaged or has no end. */
function unpack(packed: PackedData, { filters, holdsObjects, spend }: Unpacking): Buffer | undefined {
  const { bytes, length, hasEnd, declaredLength } = packed;
  if (filters.length === 0) {
    if (!hasEnd) return;
    spend(length + leastWorkUnpacked);
    return bytes.subarray(0, length);
  }
  const [packer] = filters.filter((filter) => packers.includes(filter));
  const digits = filters.slice(0, packer === undefined ? 1 : filters.indexOf(packer));
  // No program writes digits in digits once more.
  if (digits.length > 1) return;
  const limit = holdsObjects ? maxObjectStream : maxStream;
  if (digits.length === 0) {
    return unpackWithin(bytes, { packer, limit, likelyLength: length, spend }) ??
      // The declared length may be wrong, but it helps where packed data does not mark its end.
      unpackWithin(bytes.subarray(0, declaredLength), { packer, limit, spend });
  }
  const data = decodeDigits(decodeBytes(bytes.subarray(0, length)), { filter: digits[0]!, spend });
  return packer === undefined ? data : data && unpackWithin(data, { packer, limit, spend });
}

function namesObject(text: string, { first, number }: { first: PdfObject | undefined; number: number }): boolean {
  const numbers = text.slice(0, typeof first === "number" ? first : text.length).match(/\d+/g) ?? [];
  return numbers.some((found, i) => i % 2 === 0 && Number(found) === number);
}

/** Splits compressed objects, which begin with a list of object numbers and offsets. */
function splitObjects(text: string, first: PdfObject | undefined): { objects: string[]; numbers: number[] } {
  if (typeof first !== "number") return { objects: [text], numbers: [] };
  const listed = text.slice(0, first).match(/\d+/g) ?? [];
  const places = listed.filter((_, i) => i % 2 === 1).map((place) => first + Number(place));
  const isAscending = places.every((place, i) => i === 0 || place >= places[i - 1]!);
  if (!isAscending) return { objects: [text], numbers: [] };
  const numbers = listed.filter((_, i) => i % 2 === 0).map(Number).slice(0, places.length);
  return { objects: places.map((place, i) => text.slice(place, places[i + 1])), numbers };
}

/** Returns the number of entries that pdf.js reads from a table of objects, valid or not. */
function countEntries(dictionary: Dictionary): number {
  const ranges = dictionary.get("/Index") ?? [0, dictionary.get("/Size") ?? 0];
  if (!Array.isArray(ranges) || !Array.isArray(dictionary.get("/W"))) return NaN;
  return ranges.reduce<number>((sum, count, i) => i % 2 === 1 ? sum + Number(count) : sum, 0);
}

type DataPlace = { start: number; declaredEnd: number; next: number };

// Nothing below looks past the next stream, so that many streams without an end do not each read the rest of the file.

/** Returns the place at which a stream's data begins for pdf.js: after the line of the keyword. */
function startOfData(text: string, { at, next }: { at: number; next: number }): number | undefined {
  let start = at + keyword.length;
  while (start < next && text[start] !== "\n" && text[start] !== "\r") start++;
  if (start === next) return;
  return start + (text.startsWith("\r\n", start) ? 2 : 1);
}

/** Undefined where the data has no end before the next stream. */
function endOfData(text: string, { start, declaredEnd, next }: DataPlace): number | undefined {
  const from = declaredEnd > start && declaredEnd < next ? declaredEnd : start;
  const end = text.slice(from, next).indexOf("endstream");
  return end === -1 ? undefined : from + end;
}

type UnpackingWithin = { packer: string | undefined; limit: number; likelyLength?: number; spend: Spend };

/** Unpacks LZW or zlib data, this without its checksum; nothing if the data is damaged. */
function unpackWithin(
  data: Buffer,
  { packer, limit, likelyLength = data.length, spend }: UnpackingWithin,
): Buffer | undefined {
  if (data.length <= zlibHeader) return;
  const isLzw = packer !== undefined && lzw.includes(packer);
  try {
    const unpacked = isLzw
      ? unpackLzw(data, { limit })
      : inflateWithin(data.subarray(zlibHeader), { limit, likelyLength: likelyLength - zlibHeader });
    spend(unpacked.length * (isLzw ? lzwWork : 1) + leastWork);
    return unpacked;
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error;
    if (error instanceof RangeError) throw unreadable.explosive();
    // It is unknown how much had been unpacked until then: at most this.
    spend(Math.max(maxTotal / 512, Math.min(limit, likelyLength * mostOfByte)));
  }
}

type Digits = { filter: string; spend: Spend };

/** Bytes that are written as letters and digits; nothing if these have no end. */
function decodeDigits(text: string, { filter, spend }: Digits): Buffer | undefined {
  const isHex = asciiHex.includes(filter);
  const end = text.indexOf(isHex ? ">" : "~");
  spend(end === -1 ? text.length : end);
  if (end === -1) return;
  const digits = text.slice(0, end).replace(/[\s\0]+/g, "");
  return isHex ? Buffer.from(digits, "hex") : decodeAscii85(digits);
}

function decodeAscii85(text: string): Buffer {
  const digits = text.replaceAll("z", "!!!!!");
  const bytes = Buffer.alloc(Math.ceil(digits.length / 5) * 4);
  for (let i = 0; i < digits.length; i += 5) {
    let word = 0;
    for (let j = i; j < i + 5; j++) word = word * 85 + (j < digits.length ? digits.charCodeAt(j) - 33 : 84);
    bytes.writeUInt32BE(word >>> 0, i / 5 * 4);
  }
  return bytes.subarray(0, bytes.length - (5 - digits.length % 5) % 5);
}
