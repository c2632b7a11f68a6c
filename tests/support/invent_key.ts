import { createHash } from "node:crypto";

/** An API key around a secret, with the checksum that fits; nobody has issued it. */
export function inventKey(secret: string): string {
  return `hi_live_${secret}${createHash("sha256").update(secret).digest("hex").slice(0, 6)}`;
}
