import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { GetVersionInput } from "./schemas.ts";

/**
 * A version of a persona, as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach, or the coach no such version; 403 for anyone but its experts.
 */
export async function getVersion(
  { database, userId, services }: RequestContext,
  { coachId, version }: GetVersionInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const access = { coachId: requireCoachId(coachId), userId };
  return await store.getVersion(database, access, numberOfVersion(version), services.picturesUrl);
}

/** The number of a version, as a client names it; 0, which no version has, for anything else. */
export function numberOfVersion(version: string): number {
  return /^[1-9]\d{0,8}$/.test(version) ? Number(version) : 0;
}
