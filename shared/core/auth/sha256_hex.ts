import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * SHA-256 of a text in UTF-8, as 64 lower-case hex digits. For short texts: `crypto.subtle` would send each to another
 * thread and back, which takes many times as long as the hash, and `node:crypto` is loaded for 30 ms on some Denos.
 */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
