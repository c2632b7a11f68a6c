import * as z from "zod/mini";
import { uuidPattern } from "./uuid.ts";

/** A page of a list, or all of it: `pageSize` null. `afterAt` (microseconds since 1970) and `afterKey` are the last row seen. */
export type Paging = { pageSize: number | null; afterAt: number | null; afterKey: string | null };

/** Schema of the opt-in query parameters `limit` and `cursor`; `key` is the form of the list's tie-breaker. */
function pagingSchema(key: RegExp) {
  const cursor = new RegExp(`^(\\d{1,16})_(${key.source})$`, "i");
  return z.pipe(
    z.object({
      limit: z.optional(z.string().check(z.regex(/^(?:[1-9]\d?|100)$/, "limit must be a whole number from 1 to 100"))),
      cursor: z.optional(z.string().check(z.regex(cursor, "cursor must be a next_cursor of this list"))),
    }),
    z.transform((query): Paging => {
      const [, at, key] = cursor.exec(query.cursor ?? "") ?? [];
      return {
        // A cursor alone asks for the next page too: of the largest size.
        pageSize: query.limit !== undefined ? Number(query.limit) : at !== undefined ? 100 : null,
        afterAt: at === undefined ? null : Number(at),
        afterKey: key ?? null,
      };
    }),
  );
}

/** Paging of threads, whose tie-breaker is their id. */
export const ThreadPaging = pagingSchema(new RegExp(uuidPattern.source.slice(1, -1)));

/** Paging of messages, whose tie-breaker is their sequence. */
export const MessagePaging = pagingSchema(/\d{1,15}/);
