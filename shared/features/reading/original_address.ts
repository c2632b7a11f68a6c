import { readToken, signToken } from "../../core/auth/signed_token.ts";
import { uuidPattern } from "../../core/wire/ids.ts";

/** The file that an address opens, and the time until which it does. */
export type SignedFile = { fileId: string; expiresAt: Date };

const purpose = "addresses of originals";

/** Signs an address with the first of the project's secret keys, and returns its last part, the token. */
export async function signAddress(secrets: string[], { fileId, expiresAt }: SignedFile): Promise<string> {
  return await signToken(secrets, purpose, `${fileId}.${Math.floor(expiresAt.getTime() / 1_000)}`);
}

/** Reads a token that was signed with any of the project's secret keys; null if it was not. */
export async function readAddress(secrets: string[], token: string): Promise<SignedFile | null> {
  const [fileId = "", seconds = ""] = (await readToken(secrets, purpose, token))?.split(".") ?? [];
  if (!uuidPattern.test(fileId) || !/^\d{1,12}$/.test(seconds)) return null;
  return { fileId, expiresAt: new Date(Number(seconds) * 1_000) };
}
