/** The byte helpers of the standard library, with their types: the package `deno-std` declares none. */
import { concat as untypedConcat } from "deno-std/bytes/concat.js";
import { indexOfNeedle as untypedIndexOfNeedle } from "deno-std/bytes/index_of_needle.js";

/** Joins arrays of bytes. */
export const concat: (parts: readonly Uint8Array[]) => Uint8Array<ArrayBuffer> = untypedConcat;

/** Returns the index of the first occurrence of some bytes from an index on; -1 for none. */
export const indexOfNeedle: (bytes: Uint8Array, needle: Uint8Array, from?: number) => number = untypedIndexOfNeedle;
