import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import { numberOfVersion } from "./get_version.ts";
import type { RestoreVersionInput } from "./schemas.ts";

/**
 * Publishes what a persona was in an earlier version. The draft stays. Returns the new version as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach, or the coach no such version; 403 for anyone but its owners; 409 if what is
 * published is not what the caller has seen, or is the same already.
 */
export async function restoreVersion(
  { database, userId, services }: RequestContext,
  { coachId, version, if_version }: RestoreVersionInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.restoreVersion(database, { coachId: requireCoachId(coachId), userId }, {
    version: numberOfVersion(version),
    seen: { version: if_version ?? undefined },
    picturesUrl: services.picturesUrl,
  });
}
