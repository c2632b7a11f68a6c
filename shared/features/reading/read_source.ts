import type { RequestContext } from "../../core/context.ts";
import { getPassage } from "./get_passage.ts";
import type { SourceForModels } from "./replies.ts";
import type { SourceInput } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * A source of an answer, for models: a passage among its neighbors or, if none is named, the sections of the file.
 *
 * @throws 403, 404 if the caller may not read the coach's files, there is no such file, or the passage is not in it any
 * more.
 */
export async function readSource(
  ctx: RequestContext,
  { passageId, ...input }: SourceInput,
): Promise<SourceForModels> {
  if (passageId !== undefined) return await getPassage(ctx, { ...input, passageId });
  return await store.readSections(ctx.database, input);
}
