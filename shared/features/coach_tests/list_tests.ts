import * as z from "zod/mini";
import { listOf, searchField } from "../../core/wire/fields.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { numberedPageColumns } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { pageOfNumbers, PersonaTest } from "./fields.ts";

export const PersonaTestList = listOf(PersonaTest, "tests", "Newest first");

/** The tests of a coach. */
export const operation = defineEndpoint({
  name: "listTests",
  method: "GET",
  path: "/coaches/:coachId/tests",
  scope: "expert",
  failure: "Failed to fetch tests",
  errors: ofRoles,
  input: z.object({
    coachId,
    search: searchField("Words or parts of words. The question must contain all of them; case is ignored"),
    ...pageOfNumbers,
  }),
  output: PersonaTestList,
  verb: ({ database, userId }, { coachId, search, ...page }) =>
    database.callForBytes("list_tests", {
      ...coachColumns({ coachId, userId }),
      search: search ?? null,
      ...numberedPageColumns(page),
    }),
});
