import * as z from "zod/mini";
import { listOf, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { cursorField, limitField, numberedPageColumns } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ExpertName, ofRoles } from "./fields.ts";

/** One thing that somebody did to a coach or its experts. */
export const Act = z.object({
  id: z.int(),
  kind: z.string().check(z.describe("What was done, such as `expert.invited` or `coach.published`. More may be added")),
  coach_id: z.nullable(z.string()),
  subject: z.nullable(z.string()).check(
    z.describe("What it was done to: the ID of a user, an invitation or a budget, or the number of a version"),
  ),
  subject_user: z.nullable(ExpertName).check(z.describe("The expert whom it was done to; null if that is not one")),
  by: z.enum(["expert", "server", "operator"]).check(
    z.describe("Who did it: an expert, a server with a key, or the operator"),
  ),
  user: z.nullable(ExpertName).check(
    z.describe("The expert who did it; null for others, and for somebody who is gone"),
  ),
  api_key_id: z.nullable(Uuid).check(z.describe("The key that it was done with; null for the operator")),
  created_at: Timestamp,
});

export const ActList = listOf(Act, "acts", "Newest first");

/** Acts on a coach and its experts in the last year. */
export const operation = defineEndpoint({
  name: "listActs",
  method: "GET",
  path: "/coaches/:coachId/acts",
  scope: "expert",
  failure: "Failed to fetch the history",
  errors: ofRoles,
  // A cursor is the number of the last act of the page before.
  input: z.object({ coachId, limit: limitField, cursor: cursorField(/^[1-9]\d{0,14}$/) }),
  output: ActList,
  verb: ({ database, userId }, { coachId, ...page }) =>
    database.callForBytes("list_acts", { ...coachColumns({ coachId, userId }), ...numberedPageColumns(page) }),
});
