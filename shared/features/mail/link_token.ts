import { uuidPattern } from "../../core/wire/ids.ts";
import { decodeBase64, encodeBase64 } from "../../base/std/base64.ts";

/** The kinds of links in mails that need no sign-in: one that confirms an address, and those that unsubscribe. */
export const linkKinds = ["confirm", "human", "digest", "failure", "budget", "answered"] as const;
export type LinkKind = typeof linkKinds[number];

/** The purpose of a link: `id` names the address or the settings of mails that it is about. */
export type SignedLink = {
  kind: LinkKind;
  id: string;
  /** Null: as long as the key that has signed it. */
  expiresAt: Date | null;
};

const encoder = new TextEncoder();

/** Bytes that only the holder of a secret can derive, for one purpose. */
async function derive(secret: string, purpose: string, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveBits"]);
  const parameters = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(purpose) };
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, material, length * 8));
}

/** A key for these signatures alone: nothing that the project signs otherwise is valid here, nor the other way round. */
async function deriveKey(secret: string): Promise<CryptoKey> {
  const bytes = await derive(secret, "links in mails", 32);
  return await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

/** Signs a link with the first of the project's secret keys, and returns its token. */
export async function signLink([secret = ""]: string[], { kind, id, expiresAt }: SignedLink): Promise<string> {
  const content = `${kind}.${id}.${expiresAt === null ? 0 : Math.floor(expiresAt.getTime() / 1_000)}`;
  const signature = await crypto.subtle.sign("HMAC", await deriveKey(secret), encoder.encode(content));
  return `${content}.${encodeBase64(signature).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/**
 * Reads a token that was signed with any of the project's secret keys; null if it was not, or has expired. Comparing
 * signatures takes the same time whether they differ early or late.
 */
export async function readLink(secrets: string[], token: string, now: Date): Promise<SignedLink | null> {
  const [kindText = "", id = "", seconds = "", text = "", ...rest] = token.split(".");
  const kind = linkKinds.find((known) => known === kindText);
  const isWhole = kind !== undefined && uuidPattern.test(id) && /^\d{1,12}$/.test(seconds) && rest.length === 0;
  if (!isWhole || !/^[\w-]{43}$/.test(text)) return null;
  const expiresAt = Number(seconds) === 0 ? null : new Date(Number(seconds) * 1_000);
  if (expiresAt !== null && expiresAt <= now) return null;
  const signature = decodeBase64(`${text.replaceAll("-", "+").replaceAll("_", "/")}=`);
  const content = encoder.encode(`${kindText}.${id}.${seconds}`);
  for (const secret of secrets) {
    if (await crypto.subtle.verify("HMAC", await deriveKey(secret), signature, content)) return { kind, id, expiresAt };
  }
  return null;
}

/**
 * The token of an invitation that is sent by mail. It is the same with each try of the mail, so that the link in an
 * earlier copy works, too, and can be derived only with the project's secret key.
 */
export async function makeInvitationToken([secret = ""]: string[], mailId: string): Promise<string> {
  const bytes = await derive(secret, `invitation ${mailId}`, 90);
  // Of 120 characters, all but a few are letters and digits.
  return `hi_inv_${encodeBase64(bytes).replaceAll(/[^A-Za-z0-9]/g, "").slice(0, 40)}`;
}
