import * as z from "zod/mini";
import { listOf } from "../../core/wire/fields.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { cursorField, limitField, numberedPageColumns } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofExperts } from "../experts/fields.ts";
import { PersonaVersionSummary } from "./fields.ts";

export const PersonaVersionList = listOf(
  PersonaVersionSummary,
  "versions",
  "Newest first: the first is what is published",
);

/** The versions of a persona. For its experts. */
export const operation = defineEndpoint({
  name: "listVersions",
  method: "GET",
  path: "/coaches/:coachId/versions",
  scope: "expert",
  failure: "Failed to fetch versions",
  errors: ofExperts,
  // A cursor is the number of the last version of the page before.
  input: z.object({ coachId, limit: limitField, cursor: cursorField(/^[1-9]\d{0,8}$/) }),
  output: PersonaVersionList,
  verb: ({ database, userId }, { coachId, ...page }) =>
    database.callForBytes("list_versions", { ...coachColumns({ coachId, userId }), ...numberedPageColumns(page) }),
});
