import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import { type AddSourceInput, readAddress, type SourceInput, type UpdateSourceInput } from "./schemas.ts";

/**
 * Adds a source to a coach. It is read after the reply. If the coach has the address already, the existing source is
 * returned unchanged. Returns it as the JSON of the reply.
 *
 * @throws 403, 404 if the caller may not.
 */
export async function addSource(
  { services, database, userId, requestId, log }: RequestContext,
  input: AddSourceInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const url = readAddress(input.url) ?? input.url;
  const source = await store.addSource(database, { ...input, url, userId, requestId });
  services.waitUntil(services.wakeFetcher(log));
  return source;
}

/**
 * Changes how often a source is read, or how many pages it may have. Returns it as the JSON of the reply.
 *
 * @throws 403, 404 if the caller may not, or there is no such source.
 */
export async function updateSource(
  { database, userId }: RequestContext,
  { coachId, sourceId, ...change }: UpdateSourceInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.updateSource(database, placeOf(coachId, sourceId, userId), { ...change, isQueued: false });
}

/**
 * Has a source read again now, from the beginning. Returns it as the JSON of the reply.
 *
 * @throws 403, 404 if the caller may not, or there is no such source.
 */
export async function refreshSource(
  { services, database, userId, log }: RequestContext,
  { coachId, sourceId }: SourceInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const source = await store.updateSource(database, placeOf(coachId, sourceId, userId), { isQueued: true });
  services.waitUntil(services.wakeFetcher(log));
  return source;
}

function placeOf(coachId: string, sourceId: string, userId: string | null) {
  return { coachId, userId, sourceId: uuidPattern.test(sourceId) ? sourceId : null };
}
