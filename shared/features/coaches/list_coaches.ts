import type { RequestContext } from "../../core/context.ts";
import type { ListCoachesInput } from "./schemas.ts";
import * as store from "./store.ts";

/** The active coaches that the caller may talk to, by name, as the JSON of the reply. */
export async function listCoaches(
  { database, services }: RequestContext,
  page: ListCoachesInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.listCoaches(database, page, services.picturesUrl);
}
