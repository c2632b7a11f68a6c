import * as z from "zod/mini";
import { requiredId } from "../../core/wire/fields.ts";

const sinceError = "since must be a time such as 2026-12-31T23:59:59Z";

/** Input of `getOverview`. */
export const GetOverviewInput = z.object({
  coachId: requiredId("coachId", "The coach"),
  since: z.optional(z.iso.datetime({ offset: true, error: sinceError })).check(
    z.describe("From when on changes count, at most 30 days ago; by default, from the beginning of `week`"),
  ),
});
export type GetOverviewInput = z.infer<typeof GetOverviewInput>;
