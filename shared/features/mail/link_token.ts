import { encodeBase64, encodeBase64Url } from "../../libs/base/std/base64.ts";
import { deriveBytes, readToken, signToken } from "../../core/auth/signed_token.ts";
import { uuidPattern } from "../../core/wire/ids.ts";

/** Links in mails without a sign-in: to confirm an address, to say that it is not one's own, and to unsubscribe. */
export const linkKinds = ["confirm", "not_me", "human", "digest", "topics", "failure", "budget", "answered"] as const;
export type LinkKind = typeof linkKinds[number];

/** The purpose of a link: `id` names the address or the settings of mails that it is about. */
export type SignedLink = {
  kind: LinkKind;
  id: string;
  /** Null: as long as the key that has signed it. */
  expiresAt: Date | null;
};

const purpose = "links in mails";

/** Signs a link with the first of the project's secret keys, and returns its token. */
export async function signLink(secrets: string[], { kind, id, expiresAt }: SignedLink): Promise<string> {
  const seconds = expiresAt === null ? 0 : Math.floor(expiresAt.getTime() / 1_000);
  return await signToken(secrets, purpose, `${kind}.${id}.${seconds}`);
}

/** Reads a token that was signed with any of the project's secret keys; null if it was not, or has expired. */
export async function readLink(secrets: string[], token: string, now: Date): Promise<SignedLink | null> {
  const [name, id = "", seconds = ""] = (await readToken(secrets, purpose, token))?.split(".") ?? [];
  const kind = linkKinds.find((known) => known === name);
  if (kind === undefined || !uuidPattern.test(id) || !/^\d{1,12}$/.test(seconds)) return null;
  const expiresAt = Number(seconds) === 0 ? null : new Date(Number(seconds) * 1_000);
  return expiresAt !== null && expiresAt <= now ? null : { kind, id, expiresAt };
}

/**
 * The token of an answer that is told by mail, of 256 bits. It is the same with each try of the mail, so that the link in
 * an earlier copy works, too, and can be derived only with the project's secret key.
 */
export async function makeAnswerToken([secret = ""]: string[], mailId: string): Promise<string> {
  return encodeBase64Url(await deriveBytes(secret, `answer ${mailId}`, 32));
}

/** The form of that token. */
export const answerTokenForm = /^[\w-]{43}$/;

/** The token of an invitation that is sent by mail, with the same properties. */
export async function makeInvitationToken([secret = ""]: string[], mailId: string): Promise<string> {
  const bytes = await deriveBytes(secret, `invitation ${mailId}`, 90);
  // Of 120 characters, all but a few are letters and digits.
  return `hi_inv_${encodeBase64(bytes).replaceAll(/[^A-Za-z0-9]/g, "").slice(0, 40)}`;
}
