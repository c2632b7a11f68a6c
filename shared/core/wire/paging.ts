import * as z from "zod/mini";
import { wholeNumber } from "./fields.ts";
import { uuidPattern } from "./ids.ts";

/** The number of entries of a page. */
export const PageSize = wholeNumber("limit", { least: 1, most: 100 });

/** A page of a list; all of the list when both are left out. */
export type Page = { limit?: number; cursor?: string };

/** The form of an ID as a tie-breaker. */
export const uuidKey = new RegExp(uuidPattern.source.slice(1, -1));

/** The fields of a {@link Page} as input; `key` is the form of the list's tie-breaker. */
export function pageFields(key: RegExp) {
  const cursor = new RegExp(`^\\d{1,16}_${key.source}$`);
  return { limit: limitField, cursor: cursorField(cursor) };
}

/** The field `limit` of a {@link Page}. */
export const limitField = z.optional(PageSize).check(
  z.describe("Returns a page of at most this many entries instead of all"),
);

/** The field `cursor` of a {@link Page}: the form that the list gives it, and whether such a text can be read. */
export function cursorField(form: RegExp, isReadable: (text: string) => boolean = () => true) {
  const error = "cursor must be a next_cursor of this list";
  return z.optional(z.string(error).check(z.regex(form, error), z.refine(isReadable, error)))
    .check(z.describe("`next_cursor` of the page before; alone, asks for pages of 100"));
}

/** The most entries of the page; null for the whole list. */
export function pageSizeOf({ limit, cursor }: Page): number | null {
  // A cursor alone means the next page, of the largest size.
  return limit ?? (cursor === undefined ? null : 100);
}

/** A page as the SQL functions take it: `after_at` (microseconds since 1970) and `afterKey` are the last row seen. */
export function readPage(page: Page) {
  const [at, afterKey] = page.cursor?.split("_") ?? [];
  return {
    pageSize: pageSizeOf(page),
    afterAt: at === undefined ? null : Number(at),
    afterKey: afterKey ?? null,
  };
}

/** The same for a search, where the cursor has the score of the last row before the rest. */
export function readSearchedPage({ limit, cursor }: Page) {
  const [score, ...rest] = cursor?.split("_") ?? [];
  return {
    ...readPage({ limit, cursor: cursor && rest.join("_") }),
    afterScore: score === undefined ? null : Number(score),
  };
}

/** A page as most SQL functions take it. */
export function pageColumns(page: Page) {
  const { pageSize, afterAt, afterKey } = readPage(page);
  return { page_size: pageSize, after_at: afterAt, after_id: afterKey };
}

/** The same for rows that have numbers: the cursor is that of the last row seen. */
export function numberedPageColumns(page: Page) {
  return { page_size: pageSizeOf(page), after_number: page.cursor === undefined ? null : Number(page.cursor) };
}
