import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { AddressRefused, requirePublicAddress, type ResolveName } from "../../libs/web/public_address.ts";

/** A message that is to be sent to a webhook. */
export type WebhookMessage = {
  id: string;
  url: string;
  secret: string;
  kind: string;
  /** Ids and counts. */
  data: Record<string, unknown>;
  createdAt: string;
};

/** The result of a delivery: `error` is null if it succeeded. `isGone`: the receiver wants no more messages. */
export type Outcome = { error: string | null; isGone: boolean };

/** Sends a message. Never rejects. */
export type PostMessage = (message: WebhookMessage, signal: AbortSignal) => Promise<Outcome>;

/** Sends messages by the specification Standard Webhooks, without following redirects or reading replies. */
export function createPostMessage(options: { allowsPrivate: boolean; resolve?: ResolveName }): PostMessage {
  return async ({ id, url, secret, kind, data, createdAt }, signal) => {
    try {
      await requirePublicAddress(url, { ...options, signal });
      const body = JSON.stringify({ type: kind, timestamp: createdAt, data });
      const seconds = Math.floor(Date.now() / 1_000);
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": String(seconds),
          "webhook-signature": signMessage({ id, seconds, body }, secret),
        },
        body,
        redirect: "manual",
        signal,
      });
      await response.body?.cancel();
      const { status } = response;
      return { error: status >= 200 && status < 300 ? null : `It answered ${status}`, isGone: status === 410 };
    } catch (error) {
      return { error: describe(error), isGone: false };
    }
  };
}

/** For operators: errors of `fetch` can quote the address, whose path may be a secret. */
function describe(error: unknown): string {
  if (error instanceof AddressRefused) return error.message;
  const isLate = error instanceof DOMException && ["TimeoutError", "AbortError"].includes(error.name);
  return isLate ? "It did not answer in time" : "It cannot be reached";
}

/** A message as it is sent: its ID, when, in whole seconds since 1970, and its body. */
export type SentMessage = { id: string; seconds: number; body: string };

/** The signature of a message by Standard Webhooks 1: HMAC-SHA-256. `secret` is `whsec_` and the key in base64. */
export function signMessage({ id, seconds, body }: SentMessage, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
}
