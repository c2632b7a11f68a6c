/** Base64 of the standard library, with its types: the package `deno-std` declares none. */
import { decodeBase64 as untypedDecodeBase64, encodeBase64 as untypedEncodeBase64 } from "deno-std/encoding/base64.js";
import {
  decodeBase64Url as untypedDecodeBase64Url,
  encodeBase64Url as untypedEncodeBase64Url,
} from "deno-std/encoding/base64url.js";

/** Decodes Base64. @throws {TypeError} when the text is not Base64 */
export const decodeBase64: (text: string) => Uint8Array<ArrayBuffer> = untypedDecodeBase64;

/** Encodes bytes, or the UTF-8 of a text, as Base64. */
export const encodeBase64: (data: ArrayBuffer | Uint8Array | string) => string = untypedEncodeBase64;

/** Decodes the form of Base64 that addresses can hold. @throws as {@link decodeBase64}. */
export const decodeBase64Url: (text: string) => Uint8Array<ArrayBuffer> = untypedDecodeBase64Url;

/** Encodes bytes, or the UTF-8 of a text, in the form of Base64 that addresses can hold. */
export const encodeBase64Url: (data: ArrayBuffer | Uint8Array | string) => string = untypedEncodeBase64Url;
