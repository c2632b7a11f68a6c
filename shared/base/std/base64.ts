/** Base64 of the standard library, with its types: the package `deno-std` declares none. */
import { decodeBase64 as untypedDecodeBase64, encodeBase64 as untypedEncodeBase64 } from "deno-std/encoding/base64.js";

/**
 * Decodes Base64.
 *
 * @throws {TypeError} when the text is not Base64.
 */
export const decodeBase64: (text: string) => Uint8Array<ArrayBuffer> = untypedDecodeBase64;

/** Encodes bytes, or the UTF-8 of a text, as Base64. */
export const encodeBase64: (data: ArrayBuffer | Uint8Array | string) => string = untypedEncodeBase64;
