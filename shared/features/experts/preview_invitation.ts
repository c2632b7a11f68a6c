import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { sha256Hex } from "../../core/auth/digest.ts";
import { Timestamp } from "../../core/wire/fields.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { role, token } from "./fields.ts";

export const InvitationPreview = z.object({
  role,
  coach: z.nullable(z.object({ name: z.string(), title: z.string() })).check(
    z.describe("The coach; null if the invitation is for a new one"),
  ),
  invited_by: z.nullable(z.string()).check(
    z.describe("The email address of the expert who invites; null for a server or an operator"),
  ),
  expires_at: Timestamp,
});

/** The purpose of an invitation. It can still be accepted. 404 for a token that is unknown, used, expired or foreign. */
export const operation = defineEndpoint({
  name: "previewInvitation",
  method: "POST",
  path: "/coaches/invitations/preview",
  body: "application/json",
  scope: "expert",
  failure: "Failed to fetch the invitation",
  isRepeatable: true,
  errors: () => [errors.invitationNotFound()],
  input: z.object({ token }),
  output: InvitationPreview,
  verb: ({ database, userId }, { token }) =>
    database.callForBytes("preview_invitation", { user_id: userId, digest: sha256Hex(token) }),
});
