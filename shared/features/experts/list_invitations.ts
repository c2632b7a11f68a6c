import * as z from "zod/mini";
import { listOf } from "../../core/wire/fields.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { pageColumns, pageFields, uuidKey } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, Invitation, ofRoles } from "./fields.ts";

export const InvitationList = listOf(Invitation, "invitations", "Newest first, without accepted and expired ones");

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
