import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import type { ListSourcesInput, SourceInput } from "./schemas.ts";

/**
 * The sources of a coach, newest first, as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach; 403 for a publishable key of anyone but the coach.
 */
export async function listSources(
  { database }: RequestContext,
  { coachId, ...page }: ListSourcesInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.listSources(database, coachId, page);
}

/**
 * A source with the pages that could not be read, as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach, or the coach no such source; 403 as above.
 */
export async function getSource(
  { database }: RequestContext,
  { coachId, sourceId }: SourceInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.getSource(database, { coachId, sourceId: uuidPattern.test(sourceId) ? sourceId : null });
}
