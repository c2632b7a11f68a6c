import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { countCharacters, isStorableText } from "../../libs/base/text.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, Invitation, ofRoles, roleField } from "./fields.ts";

export const NewInvitation = z.object({
  ...Invitation.shape,
  token: z.string().check(z.describe("The token, shown this once. Whoever has it can accept the invitation")),
  url: z.nullable(z.string()).check(
    z.describe("The link to the desk; null if the service does not know its address (`DESK_URL`)"),
  ),
});

const mostEmailCharacters = 254;
const emailError = "email must be an email address";

const emailField = z.optional(
  z.string(emailError).check(
    z.refine(isStorableText, { error: emailError, abort: true }),
    z.refine((text) => countCharacters(text) <= mostEmailCharacters, { error: emailError, abort: true }),
    z.email(emailError),
  ),
).check(
  z.describe(
    "Whom the invitation is for. Where mail is set up, it is sent there. Anybody with the link can accept it",
  ),
);

const InvitationWithToken = z.object({ ...Invitation.shape, token: z.string() });

/** Invites somebody to become an expert of a coach. The reply alone has the token: only its digest is kept. */
export const operation = defineEndpoint({
  name: "createInvitation",
  method: "POST",
  path: "/coaches/:coachId/invitations",
  body: "application/json",
  scope: "expert",
  failure: "Failed to create the invitation",
  errors: () => [...ofRoles(), errors.tooManyInvitations()],
  input: z.object({
    coachId,
    role: roleField.check(z.describe("The role of whoever accepts the invitation")),
    email: emailField,
  }),
  output: NewInvitation,
  async verb({ database, userId, services, log }, { coachId, role, email }): Promise<z.infer<typeof NewInvitation>> {
    const columns = { ...coachColumns({ coachId, userId }), role, email: email ?? null };
    const invitation = await database.call("create_invitation", columns, InvitationWithToken);
    const { deskUrl } = services;
    if (email && services.mail !== null) services.waitUntil(services.wakeMailer(log));
    return { ...invitation, url: deskUrl && `${deskUrl}#invitation=${invitation.token}` };
  },
});
