import { uuidPattern } from "../../core/wire/ids.ts";
import { decodeBase64, encodeBase64 } from "../../base/std/base64.ts";

/** The file that an address opens, and the time until which it does. */
export type SignedFile = { fileId: string; expiresAt: Date };

const encoder = new TextEncoder();

/** A key for these signatures alone: nothing that the project signs otherwise is valid here, nor the other way round. */
async function deriveKey(secret: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey"]);
  return await crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode("addresses of originals") },
    material,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign", "verify"],
  );
}

/** What is signed: the file and the second at which the address expires. */
function describe(fileId: string, seconds: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`${fileId}.${seconds}`);
}

/** Signs an address with the first of the project's secret keys, and returns its last part, the token. */
export async function signAddress([secret = ""]: string[], { fileId, expiresAt }: SignedFile): Promise<string> {
  const seconds = String(Math.floor(expiresAt.getTime() / 1_000));
  const signature = await crypto.subtle.sign("HMAC", await deriveKey(secret), describe(fileId, seconds));
  const text = encodeBase64(signature).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${fileId}.${seconds}.${text}`;
}

/**
 * Reads a token that was signed with any of the project's secret keys, as while a key is replaced there are two; null if
 * it was not. Comparing signatures takes the same time whether they differ early or late.
 */
export async function readAddress(secrets: string[], token: string): Promise<SignedFile | null> {
  const [fileId = "", seconds = "", text = ""] = token.split(".");
  if (!uuidPattern.test(fileId) || !/^\d{1,12}$/.test(seconds) || !/^[\w-]{43}$/.test(text)) return null;
  const signature = decodeBase64(`${text.replaceAll("-", "+").replaceAll("_", "/")}=`);
  for (const secret of secrets) {
    const key = await deriveKey(secret);
    if (await crypto.subtle.verify("HMAC", key, signature, describe(fileId, seconds))) {
      return { fileId, expiresAt: new Date(Number(seconds) * 1_000) };
    }
  }
  return null;
}
