import * as z from "zod/mini";
import { listOf, searchField } from "../../core/wire/fields.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { pageColumns, pageFields, uuidKey } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofExperts } from "../experts/fields.ts";
import { PinnedAnswer } from "./fields.ts";

export const PinnedAnswerList = listOf(PinnedAnswer, "pinned answers", "Most recently changed first");

/** The pinned answers of a coach. */
export const operation = defineEndpoint({
  name: "listPinnedAnswers",
  method: "GET",
  path: "/coaches/:coachId/answers",
  scope: "expert",
  failure: "Failed to fetch pinned answers",
  errors: ofExperts,
  input: z.object({
    coachId,
    search: searchField(
      "Words or parts of words. The question, variants and answer together must contain all of them; case is ignored",
    ),
    // A string, because it is in the query of an HTTP request.
    is_active: z.optional(z.enum(["true", "false"], "is_active must be true or false")).check(
      z.describe("Only active or only inactive ones; by default, both"),
    ),
    ...pageFields(uuidKey),
  }),
  output: PinnedAnswerList,
  verb: ({ database, userId }, { coachId, search, is_active, ...page }) =>
    database.callForBytes("list_pinned_answers", {
      ...coachColumns({ coachId, userId }),
      search: search?.trim() || null,
      is_active: is_active === undefined ? null : is_active === "true",
      ...pageColumns(page),
    }),
});
