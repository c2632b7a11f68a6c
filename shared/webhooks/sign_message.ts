import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** A message as it is sent: its id, when, in whole seconds since 1970, and its body. */
export type SentMessage = { id: string; seconds: number; body: string };

/**
 * The signature of a message, as the specification Standard Webhooks has it in version 1: HMAC with SHA-256 in base64.
 *
 * @param secret `whsec_` and the key in base64
 */
export function signMessage({ id, seconds, body }: SentMessage, secret: string): string {
  const key = Uint8Array.from(atob(secret.replace(/^whsec_/, "")), (character) => character.charCodeAt(0));
  const code = hmac(sha256, key, utf8ToBytes(`${id}.${seconds}.${body}`));
  return `v1,${btoa(String.fromCharCode(...code))}`;
}
