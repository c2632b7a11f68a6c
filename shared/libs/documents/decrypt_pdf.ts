import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import { parsePdfObject, type PdfObject, type PdfReference } from "./parse_pdf_object.ts";
import { unreadable } from "./document_reader.ts";

type Dictionary = Map<string, PdfObject>;
/** The number and the generation of the object that a stream is. */
export type StreamName = { number: number; generation: number };

/** The encryption of the streams of a file that opens without a password. */
export type Encryption = {
  /** The number of the object that describes it. */
  number: number | undefined;
  decrypt(data: Buffer, name: StreamName): Buffer;
};

/** Also where letters are written as codes. */
const encrypt = [..."Encrypt"].map((letter) => `(?:${letter}|#${letter.charCodeAt(0).toString(16)})`).join("");
const entry = new RegExp(`/${encrypt}[\\s\\0]*(<<|(\\d+)[\\s\\0]+\\d+[\\s\\0]+R)`, "gi");
const longestEntry = 10_000;
/** The bytes that a password is filled up with: an empty one consists of them. */
const padding = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");

/**
 * Reads how a PDF file is encrypted, also given as a text with the same places. Undefined if it is not; whether the key
 * is right is only known to pdf.js.
 *
 * @throws {UnreadableDocument} when it is encrypted in an unknown way, or in two ways
 */
export function readEncryption(file: Buffer, text: string): Encryption | undefined {
  const entries = [...text.matchAll(entry)];
  const [first] = entries;
  if (first === undefined) return;
  if (entries.some(([, value]) => value!.split(/[\s\0]+/).join(" ") !== first[1]!.split(/[\s\0]+/).join(" "))) {
    throw unreadable.encrypted();
  }
  const number = first[2] === undefined ? undefined : Number(first[2]);
  if (number === undefined && entries.length > 1) throw unreadable.encrypted();
  const start = number === undefined ? first.index + first[0].length - 2 : findObject(text, number);
  const resolve = (object: PdfObject | undefined): PdfObject | undefined =>
    isReference(object) ? parseAt(file, findObject(text, object.object)) : object;
  const dictionary = parseAt(file, start);
  const id = /\/ID[\s\0]*\[[\s\0]*(?=[(<])/.exec(text);
  const firstId = id === null ? "" : stringOf(parseAt(file, id.index + id[0].length));
  const decrypt = createDecryption(dictionary, Buffer.from(firstId, "latin1"), resolve);
  return { number, decrypt };
}

/** The place of an object that the file has once. */
function findObject(text: string, number: number): number {
  const found = [...text.matchAll(new RegExp(`(?<!\\d)${number}[\\s\\0]+\\d+[\\s\\0]+obj`, "g"))];
  if (found.length !== 1) throw unreadable.encrypted();
  return found[0]!.index + found[0]![0].length;
}

/** The object at a place, whose end is not known. */
function parseAt(file: Buffer, start: number): PdfObject {
  try {
    return parsePdfObject(file.toString("latin1", start, start + longestEntry), { mayGoOn: true });
  } catch {
    throw unreadable.encrypted();
  }
}

function stringOf(object: PdfObject | undefined): string {
  return object !== null && typeof object === "object" && "string" in object ? object.string : "";
}

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined;

function isReference(object: PdfObject | undefined): object is PdfReference {
  return object !== null && typeof object === "object" && "object" in object;
}

function createDecryption(dictionary: PdfObject, id: Buffer, resolve: Resolve): Encryption["decrypt"] {
  if (!(dictionary instanceof Map) || dictionary.get("/Filter") !== "/Standard") throw unreadable.encrypted();
  const version = dictionary.get("/V");
  const method = version === 1 || version === 2 ? "/V2" : methodOf(dictionary, resolve);
  if (method === "/None") return (data) => data;
  const fileKey = method === "/AESV3" ? readKey(dictionary) : makeKey(dictionary, id);
  if (method === "/AESV3") return (data) => decryptAes(data, fileKey);
  return (data, name) => {
    const key = keyOfObject(fileKey, name, method === "/AESV2");
    return method === "/AESV2" ? decryptAes(data, key) : decryptRc4(data, key);
  };
}

function methodOf(dictionary: Dictionary, resolve: Resolve): "/V2" | "/AESV2" | "/AESV3" | "/None" {
  const name = dictionary.get("/StmF") ?? "/Identity";
  if (name === "/Identity") return "/None";
  const filters = resolve(dictionary.get("/CF"));
  const filter = filters instanceof Map ? resolve(filters.get(String(name))) : undefined;
  const method = filter instanceof Map ? filter.get("/CFM") ?? "/None" : undefined;
  if (method === "/V2" || method === "/AESV2" || method === "/AESV3" || method === "/None") return method;
  throw unreadable.encrypted();
}

/** The key of a file up to PDF 1.7: algorithm 2 of its standard. */
function makeKey(dictionary: Dictionary, id: Buffer): Buffer {
  const revision = Number(dictionary.get("/R"));
  const bits = Number(dictionary.get("/Length") ?? (dictionary.get("/V") === 4 ? 128 : 40));
  const length = Math.min(Math.max(bits < 40 ? bits : bits >> 3, 5), 16);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(Number(dictionary.get("/P")) | 0);
  const parts = [padding, bytesOf(dictionary.get("/O")).subarray(0, 32), permissions, id];
  if (revision >= 4 && dictionary.get("/EncryptMetadata") === false) parts.push(Buffer.alloc(4, 0xff));
  let key = hash("md5", Buffer.concat(parts));
  for (let i = 0; revision >= 3 && i < 50; i++) key = hash("md5", key.subarray(0, length));
  // As pdf.js does it.
  return dictionary.get("/V") === 4
    ? Buffer.concat([key.subarray(0, length), Buffer.alloc(16 - length)])
    : key.subarray(0, length);
}

/** The key of a file of PDF 2.0, or of its draft: algorithm 2.A of its standard. */
function readKey(dictionary: Dictionary): Buffer {
  const salt = bytesOf(dictionary.get("/U")).subarray(40, 48);
  const key = dictionary.get("/R") === 5 ? hash("sha256", salt) : hardHash(salt);
  const decipher = createDecipheriv("aes-256-cbc", key, Buffer.alloc(16)).setAutoPadding(false);
  return Buffer.concat([decipher.update(bytesOf(dictionary.get("/UE")).subarray(0, 32)), decipher.final()]);
}

/** Algorithm 2.B, for an empty password. */
function hardHash(salt: Buffer): Buffer {
  let key = hash("sha256", salt);
  let last = 0;
  for (let round = 0; round < 64 || last > round - 32; round++) {
    const repeated = Buffer.concat(Array<Buffer>(64).fill(key));
    const cipher = createCipheriv("aes-128-cbc", key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false);
    const encrypted = Buffer.concat([cipher.update(repeated), cipher.final()]);
    last = encrypted.at(-1)!;
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = hash((["sha256", "sha384", "sha512"] as const)[remainder]!, encrypted);
  }
  return key.subarray(0, 32);
}

function keyOfObject(fileKey: Buffer, { number, generation }: StreamName, isAes: boolean): Buffer {
  const name = Buffer.alloc(5);
  name.writeUIntLE(number % 0x1000000, 0, 3);
  name.writeUInt16LE(generation % 0x10000, 3);
  const parts = [fileKey, name, ...(isAes ? [Buffer.from("sAlT")] : [])];
  return hash("md5", Buffer.concat(parts)).subarray(0, Math.min(fileKey.length + 5, 16));
}

/** Without the padding at its end, which other data may follow. */
function decryptAes(data: Buffer, key: Buffer): Buffer {
  const end = data.length - data.length % 16;
  if (end < 32) return Buffer.alloc(0);
  const decipher = createDecipheriv(`aes-${key.length === 32 ? 256 : 128}-cbc`, key, data.subarray(0, 16));
  decipher.setAutoPadding(false);
  return Buffer.concat([decipher.update(data.subarray(16, end)), decipher.final()]);
}

/** Neither the Web nor the functions' Deno has this old cipher. */
function decryptRc4(data: Buffer, key: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255;
    [state[i], state[j]] = [state[j]!, state[i]!];
  }
  const decrypted = Buffer.alloc(data.length);
  for (let at = 0, i = 0, j = 0; at < data.length; at++) {
    i = (i + 1) & 255;
    const one = state[i]!;
    j = (j + one) & 255;
    const other = state[j]!;
    state[i] = other;
    state[j] = one;
    decrypted[at] = data[at]! ^ state[(one + other) & 255]!;
  }
  return decrypted;
}

function hash(algorithm: "md5" | "sha256" | "sha384" | "sha512", data: Uint8Array): Buffer {
  return createHash(algorithm).update(data).digest();
}

function bytesOf(object: PdfObject | undefined): Buffer {
  return Buffer.from(stringOf(object), "latin1");
}
