import { encodeHex } from "deno-std/encoding/hex.js";

const encoder = new TextEncoder();

/** SHA-256 of a text in UTF-8, as 64 lower-case hex digits. */
export async function sha256Hex(text: string): Promise<string> {
  return encodeHex(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
}
