import type { Context } from "../context.ts";
import { errors } from "../errors.ts";
import { embedQuery } from "./embed_query.ts";
import type { SearchQuery } from "./schemas.ts";

const decoder = new TextDecoder();

/**
 * The files of a coach as the JSON of the reply: best match first, without a search newest first.
 *
 * @throws 404 when the account has no such coach.
 */
export async function searchFiles(
  ctx: Context,
  { coachId, search, category, page, limit }: SearchQuery,
): Promise<Uint8Array<ArrayBuffer>> {
  const { services, caller } = ctx;
  const reply = await services.database.callForBytes("search_knowledge", {
    account_id: caller.accountId,
    coach_id: coachId,
    search,
    category,
    page,
    page_size: limit,
    query_vector: search === null ? null : await embedQuery(ctx, search),
  });
  if (decoder.decode(reply.subarray(0, 4)) === "null") throw errors.coachNotFound();
  return reply;
}
