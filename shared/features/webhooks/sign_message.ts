import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";

/** A message as it is sent: its ID, when, in whole seconds since 1970, and its body. */
export type SentMessage = { id: string; seconds: number; body: string };

/**
 * The signature of a message, as the specification Standard Webhooks has it in version 1: HMAC with SHA-256 in base64.
 *
 * @param secret `whsec_` and the key in base64
 */
export function signMessage({ id, seconds, body }: SentMessage, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
}
