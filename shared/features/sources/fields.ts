import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { isStorableText } from "../../libs/base/text.ts";
import { Count, requiredCoachId, requiredId, Timestamp, Uuid, wholeNumber } from "../../core/wire/fields.ts";
import { noId, uuidOrNull } from "../../core/wire/ids.ts";
import { normalizeAddress } from "../../libs/web/normalize_address.ts";

/** The forms of a source: one page, all pages of a site, or the pages of a feed's entries. */
export const sourceKinds = ["page", "site", "feed"] as const;

/** The times after which a source is read again. */
export const refreshTimes = ["never", "daily", "weekly"] as const;

/** The most pages of a source. */
export const maxPages = 500;

export const coachId = requiredCoachId("The coach that knows the source");
export const sourceId = requiredId("sourceId", "The source: `id` in the list");

/** The fields `refresh` and `limit` of an input. */
export const refreshField = z.enum(refreshTimes, "refresh must be never, daily or weekly");
export const pageLimit = wholeNumber("limit", { least: 1, most: maxPages });
export const described = {
  refresh: "When the source is read again: `never`, `daily` or `weekly`",
  limit: "The most pages that are read",
};

/** A web address whose pages a coach knows. */
export const KnowledgeSource = z.object({
  id: Uuid,
  url: z.string().check(z.describe("The address, in its normal form")),
  kind: z.enum(sourceKinds),
  refresh: z.enum(refreshTimes),
  limit: z.int().check(z.gte(1), z.lte(maxPages), z.describe("The most pages that are read")),
  status: z.enum(["queued", "reading", "ready", "failed"]).check(
    z.describe("`ready`: at least one page could be read; `failed`: none could be, for the `reason`"),
  ),
  reason: z.nullable(z.string()).check(
    z.describe("The reason why it failed or, if it is ready, why its list of pages could not be read; otherwise null"),
  ),
  pages: Count.check(z.describe("The number of pages that are files now")),
  failed_pages: Count.check(z.describe("The number of pages that could not be read or used, or not to their end")),
  fetched_at: z.nullable(Timestamp).check(z.describe("The end of the last round; null before the first has ended")),
  next_refresh_at: z.nullable(Timestamp).check(z.describe("Null: never, or while it is queued or being read")),
});

/** An address as it is stored, since two spellings of one are the same source; null if it cannot be read. */
export function readAddress(text: string): string | null {
  const address = isStorableText(text) ? normalizeAddress(text.trim()) : null;
  if (address === null) return null;
  const { username, password } = new URL(address);
  return username === "" && password === "" ? address : null;
}

/** A source as SQL functions take it. Null: no source can have such an ID. */
export function sourceColumns({ coachId, sourceId }: { coachId: string; sourceId: string }) {
  return { coach_id: coachId, source_id: uuidOrNull(sourceId) ?? noId };
}

/** The errors of every operation that changes sources. */
export const ofWriters = () => [errors.coachNotFound(), errors.notTheCoach()];
