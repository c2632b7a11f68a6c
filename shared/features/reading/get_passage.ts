import type { RequestContext } from "../../core/context.ts";
import { countRepeated } from "./count_repeated.ts";
import type { PassageInContext } from "./replies.ts";
import type { PassageInput } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * A passage of a file among its neighbors.
 *
 * @throws 403, 404 if the caller may not read the coach's files, there is no such file, or the passage is not in it any
 * more.
 */
export async function getPassage({ database }: RequestContext, input: PassageInput): Promise<PassageInContext> {
  const { position, passages, ...file } = await store.readNeighborhood(database, input);
  const shown = passages.map((passage, i) => ({ ...passage, repeats: countRepeated(passages[i - 1], passage) }));
  const place = shown.findIndex((passage) => passage.position === position);
  const first = Math.max(place - input.before, 0);
  return {
    ...file,
    passage: shown[place]!,
    before: shown.slice(first, place),
    after: shown.slice(place + 1, place + 1 + input.after),
    has_more_before: first > 0,
    has_more_after: shown.length > place + 1 + input.after,
  };
}
