import * as z from "zod/mini";
import { isStorableText } from "../../base/text/storable_text.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { cursorField, limitField } from "../../core/wire/paging.ts";
import { normalizeAddress } from "../../infra/web/normalize_address.ts";
import { maxPages, refreshTimes, sourceKinds } from "./limits.ts";

const coachId = z.string("coachId is required").check(
  z.refine((text) => text.trim() !== "", "coachId is required"),
  z.refine(isStorableText, "coachId must not contain NUL characters"),
  z.describe("The coach that knows the source"),
);
const sourceId = requiredId("sourceId", "The source: `id` in the list");

const urlError =
  "url must be an address that begins with https:// or http://, without a user, at most 2,000 characters";

const Address = z.string({ error: ({ input }) => input === undefined ? "url is required" : "url must be a string" })
  .check(
    z.refine((text) => readAddress(text) !== null, urlError),
    z.meta({ format: "uri", maxLength: 2_000, description: "The address of the page, site or feed" }),
  );

/** An address as it is stored, since two spellings of one are the same source; null if it cannot be read. */
export function readAddress(text: string): string | null {
  const address = isStorableText(text) ? normalizeAddress(text.trim()) : null;
  if (address === null) return null;
  const { username, password } = new URL(address);
  return username === "" && password === "" ? address : null;
}

const limitError = `limit must be a whole number from 1 to ${maxPages}`;
const PageLimit = z.int(limitError).check(z.gte(1, limitError), z.lte(maxPages, limitError));
const Refresh = z.enum(refreshTimes, "refresh must be never, daily or weekly");

const described = {
  refresh: "When the source is read again: `never`, `daily` or `weekly`",
  limit: "The most pages that are read",
};

/** Input of `listSources`. A cursor is the number of the last source of the page before. */
export const ListSourcesInput = z.object({ coachId, limit: limitField, cursor: cursorField(/^\d{1,15}$/) });
export type ListSourcesInput = z.infer<typeof ListSourcesInput>;

/** Input of `getSource`, `deleteSource` and `refreshSource`. */
export const SourceInput = z.object({ coachId, sourceId });
export type SourceInput = z.infer<typeof SourceInput>;

/** Input of `addSource`. */
export const AddSourceInput = z.object({
  coachId,
  url: Address,
  kind: z.enum(sourceKinds, "kind must be page, site or feed").check(
    z.describe(
      "`page`: this address alone; `site`: all pages below it, from the sitemap or by following links; `feed`: the " +
        "pages of the entries of an RSS, Atom or JSON feed",
    ),
  ),
  refresh: Refresh.check(z.describe(described.refresh)),
  limit: z.optional(PageLimit).check(z.describe(`${described.limit}; ${maxPages} if left out`)),
});
export type AddSourceInput = z.infer<typeof AddSourceInput>;

/** Input of `updateSource`. */
export const UpdateSourceInput = z.object({
  coachId,
  sourceId,
  refresh: z.optional(Refresh).check(z.describe(described.refresh)),
  limit: z.optional(PageLimit).check(
    z.describe(`${described.limit}. A lower limit deletes the pages beyond it at the next refresh`),
  ),
}).check(
  z.refine(
    ({ refresh, limit }) => refresh !== undefined || limit !== undefined,
    "One of refresh and limit is required",
  ),
);
export type UpdateSourceInput = z.infer<typeof UpdateSourceInput>;
