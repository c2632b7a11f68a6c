import type { RequestContext } from "../../core/context.ts";
import type { FileInput } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * A file with its sections, as the JSON of the reply.
 *
 * @throws 403, 404 if the caller may not read the coach's files, or there is no such file.
 */
export async function getFile({ database }: RequestContext, input: FileInput): Promise<Uint8Array<ArrayBuffer>> {
  return await store.readOutline(database, input);
}
