import type { RequestContext } from "../../core/context.ts";
import { embedQuery } from "./embed_query.ts";
import type { SearchFilesInput } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * The files of a coach as the JSON of the reply: best match first, without a search newest first.
 *
 * @throws 404 if the caller has no such coach; 403 for a publishable key of anyone but the coach.
 */
export async function searchFiles(
  ctx: RequestContext,
  { coachId, category, page, limit, ...query }: SearchFilesInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const search = query.search?.trim() || null;
  const find = (queryVector: string | null) =>
    store.searchFiles(
      ctx.database,
      { coachId, search, queryVector, category: category ?? null, page, pageSize: limit },
    );

  // For visitors of a page, no embedding is paid for, because only the coach may search there.
  const isRefusedFirst = search !== null && ctx.services.embedder !== null && ctx.admission.isPublishable;
  if (isRefusedFirst) await find(null);
  return await find(search === null ? null : await embedQuery(ctx, search, { coachId, userId: ctx.userId }));
}
