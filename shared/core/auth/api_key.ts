import { sha256Hex } from "./sha256_hex.ts";

const shape = /^hi_(?:live|pub)_([0-9A-Za-z]{32})([0-9a-f]{6})$/;

/**
 * The digest under which an API key is stored, or null when the text cannot be a key: wrong shape, or a checksum
 * that does not fit. The checksum finds typing errors; it does not prove that the key is valid.
 */
export function digestApiKey(text: string): string | null {
  const [, secret, checksum] = shape.exec(text) ?? [];
  if (secret === undefined || checksum === undefined) return null;
  if (!sha256Hex(secret).startsWith(checksum)) return null;
  return sha256Hex(text);
}
