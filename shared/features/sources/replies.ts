import * as z from "zod/mini";
import { Count, NextCursor, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { maxPages, refreshTimes, sourceKinds, sourceStatuses } from "./limits.ts";

const sourceFields = {
  id: Uuid,
  url: z.string().check(z.describe("The address, in its normal form")),
  kind: z.enum(sourceKinds),
  refresh: z.enum(refreshTimes),
  limit: z.int().check(z.gte(1), z.lte(maxPages), z.describe("The most pages that are read")),
  status: z.enum(sourceStatuses).check(
    z.describe("`ready`: at least one page could be read; `failed`: none could be, for the `reason`"),
  ),
  reason: z.nullable(z.string()).check(
    z.describe("The reason why it failed or, if it is ready, why its list of pages could not be read; otherwise null"),
  ),
  pages: Count.check(z.describe("The number of pages that are files now")),
  fetched_at: z.nullable(Timestamp).check(z.describe("The end of the last round; null before the first has ended")),
  next_refresh_at: z.nullable(Timestamp).check(z.describe("Null: never, or while it is queued or being read")),
};

/** A web address whose pages a coach knows. */
export const KnowledgeSource = z.object(sourceFields);

/** Reply of `GET /knowledge-handler/sources/{sourceId}`. */
export const KnowledgeSourceDetail = z.object({
  ...sourceFields,
  failures: z.array(z.object({ url: z.string(), reason: z.string() })).check(
    z.describe(
      "Pages that could not be read or used, or not to their end, and why: at most 20. The last text of a page stays",
    ),
  ),
});

/** Reply of `GET /knowledge-handler/sources`. */
export const KnowledgeSourceList = z.object({
  data: z.array(KnowledgeSource).check(z.describe("Newest first")),
  count: Count.check(z.describe("The number of sources in `data`")),
  next_cursor: NextCursor,
});

/** Reply of `DELETE /knowledge-handler/sources/{sourceId}`. */
export const DeletedSource = z.object({
  message: z.literal("Source deleted successfully"),
  sourceId: z.string(),
});
