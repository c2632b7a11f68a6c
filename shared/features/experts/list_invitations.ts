import * as z from "zod/mini";
import { Count, NextCursor } from "../../core/wire/fields.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { pageColumns, pageFields, uuidKey } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, Invitation, ofRoles } from "./fields.ts";

export const InvitationList = z.object({
  data: z.array(Invitation).check(z.describe("Newest first, without accepted and expired ones")),
  count: Count.check(z.describe("The number of invitations in `data`")),
  next_cursor: NextCursor,
});

/** The open invitations of a coach. None has its token. */
export const operation = defineEndpoint({
  name: "listInvitations",
  method: "GET",
  path: "/coaches/:coachId/invitations",
  scope: "expert",
  failure: "Failed to fetch invitations",
  errors: ofRoles,
  input: z.object({ coachId, ...pageFields(uuidKey) }),
  output: InvitationList,
  verb: ({ database, userId }, { coachId, ...page }) =>
    database.callForBytes("list_invitations", { ...coachColumns({ coachId, userId }), ...pageColumns(page) }),
});
