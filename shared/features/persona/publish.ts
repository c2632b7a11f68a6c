import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { PublishInput } from "./schemas.ts";

/**
 * Publishes the draft of a persona. One that was never active becomes active. Returns the version as the JSON of the
 * reply.
 *
 * @throws 404 if the caller has no such coach; 403 for anyone but its owners; 409 if what is published, or the draft, is
 * not what the caller has seen, and if there is nothing to publish.
 */
export async function publish(
  { database, userId, services }: RequestContext,
  { coachId, if_version, if_revision }: PublishInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const seen = { version: if_version, revision: if_revision ?? undefined };
  return await store.publishDraft(
    database,
    { coachId: requireCoachId(coachId), userId },
    seen,
    services.picturesUrl,
  );
}
