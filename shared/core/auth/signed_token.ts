import { decodeBase64Url, encodeBase64Url } from "../../libs/base/std/base64.ts";

const encoder = new TextEncoder();

/** Bytes that only the holder of a secret can derive, for one purpose (HKDF, RFC 5869). */
export async function deriveBytes(secret: string, purpose: string, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveBits"]);
  const parameters = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(purpose) };
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, material, length * 8));
}

/** A key for the signatures of one purpose alone: what the project signs otherwise is not valid there. */
async function deriveKey(secret: string, purpose: string): Promise<CryptoKey> {
  const bytes = await deriveBytes(secret, purpose, 32);
  return await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

/** Signs a text with the first of the project's secret keys. The token is the text, a dot, and the signature. */
export async function signToken([secret = ""]: string[], purpose: string, text: string): Promise<string> {
  const signature = await crypto.subtle.sign("HMAC", await deriveKey(secret, purpose), encoder.encode(text));
  return `${text}.${encodeBase64Url(signature)}`;
}

/**
 * Reads the text of a token that was signed with any of the project's secret keys, as while a key is replaced there are
 * two; null if it was not. Comparing signatures takes the same time whether they differ early or late.
 */
export async function readToken(secrets: string[], purpose: string, token: string): Promise<string | null> {
  const [, text, encoded] = /^(.+)\.([\w-]{43})$/.exec(token) ?? [];
  if (text === undefined || encoded === undefined) return null;
  const signature = decodeBase64Url(encoded);
  for (const secret of secrets) {
    const key = await deriveKey(secret, purpose);
    if (await crypto.subtle.verify("HMAC", key, signature, encoder.encode(text))) return text;
  }
  return null;
}
