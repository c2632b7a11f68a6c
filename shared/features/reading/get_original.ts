import type { RequestContext } from "../../core/context.ts";
import { signAddress } from "./original_address.ts";
import type { OriginalAddress } from "./replies.ts";
import type { FileInput } from "./schemas.ts";
import * as store from "./store.ts";

/** Seconds for which an address is valid. */
const lifetime = 60;

/**
 * Makes an address that opens the original of a file for a minute, without a key.
 *
 * @throws 403, 404 if the caller may not read the coach's files, or there is no such file.
 */
export async function getOriginal({ database, services }: RequestContext, input: FileInput): Promise<OriginalAddress> {
  const fileId = await store.requireFile(database, input);
  const expiresAt = new Date((Math.floor(Date.now() / 1_000) + lifetime) * 1_000);
  const token = await signAddress(services.secretKeys, { fileId, expiresAt });
  return {
    url: `${services.publicUrl}/functions/v1/knowledge-handler/originals/${token}`,
    expires_at: expiresAt.toISOString(),
  };
}
