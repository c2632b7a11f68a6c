import * as z from "zod/mini";

const limitError = "limit must be a whole number from 1 to 100";

/** How many entries a page has. */
export const PageSize = z.int(limitError).check(z.gte(1, limitError), z.lte(100, limitError));

/** A page of a list; all of the list when both are left out. */
export type Page = { limit?: number; cursor?: string };

/** The fields of a {@link Page} as input; `key` is the form of the list's tie-breaker. */
export function pageFields(key: RegExp) {
  const cursor = new RegExp(`^\\d{1,16}_${key.source}$`);
  const cursorError = "cursor must be a next_cursor of this list";
  return {
    limit: z.optional(PageSize).check(z.describe("Asks for a page of at most so many entries instead of all")),
    cursor: z.optional(z.string(cursorError).check(z.regex(cursor, cursorError)))
      .check(z.describe("`next_cursor` of the page before; alone, asks for pages of 100")),
  };
}

/** A page as the SQL functions take it: `after_at` (microseconds since 1970) and `afterKey` are the last row seen. */
export function readPage({ limit, cursor }: Page) {
  const [at, afterKey] = cursor?.split("_") ?? [];
  return {
    // A cursor alone means the next page, of the largest size.
    pageSize: limit ?? (cursor === undefined ? null : 100),
    afterAt: at === undefined ? null : Number(at),
    afterKey: afterKey ?? null,
  };
}
