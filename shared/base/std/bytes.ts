/** The byte helpers of the standard library, with their types: the package `deno-std` declares none. */
import { concat as untypedConcat } from "deno-std/bytes/concat.js";
import { equals as untypedEquals } from "deno-std/bytes/equals.js";
import { indexOfNeedle as untypedIndexOfNeedle } from "deno-std/bytes/index_of_needle.js";
import { decodeBase64 as untypedDecodeBase64, encodeBase64 as untypedEncodeBase64 } from "deno-std/encoding/base64.js";

/** Joins arrays of bytes. */
export const concat: (parts: readonly Uint8Array[]) => Uint8Array<ArrayBuffer> = untypedConcat;

/** Returns whether two arrays hold the same bytes. */
export const equals: (a: Uint8Array, b: Uint8Array) => boolean = untypedEquals;

/** Returns the index of the first occurrence of some bytes from an index on; -1 for none. */
export const indexOfNeedle: (bytes: Uint8Array, needle: Uint8Array, from?: number) => number = untypedIndexOfNeedle;

/**
 * Decodes Base64.
 *
 * @throws {TypeError} when the text is not Base64.
 */
export const decodeBase64: (text: string) => Uint8Array<ArrayBuffer> = untypedDecodeBase64;

/** Encodes bytes, or the UTF-8 of a text, as Base64. */
export const encodeBase64: (data: ArrayBuffer | Uint8Array | string) => string = untypedEncodeBase64;
