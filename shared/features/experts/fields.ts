import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { requiredId, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { roles } from "./roles.ts";

export { ofExperts, ofRoles } from "../coaches/fields.ts";

export const coachId = requiredId("coachId", "The coach whose expert makes the request");
export const userId = requiredId("userId", "The expert: `user_id` in the list, or `me` with an access token");
export const invitationId = requiredId("invitationId", "The invitation: `id` in the list");
export const token = z.string("token is required").check(
  z.refine((text) => text !== "", "token is required"),
  z.describe("The token of the invitation: what follows `#invitation=` in its link"),
);

/** The field `role` of an input. */
export const roleField = z.enum(roles, "role must be owner, editor or answerer");

/** A role in replies. */
export const role = z.enum(roles).check(
  z.describe(
    "`answerer`: questions and conversations; `editor`: also files, sources, tests, pinned answers and the draft; " +
      "`owner`: everything",
  ),
);

/** An expert of a coach, as the others name them. */
export const ExpertName = z.object({
  user_id: Uuid,
  name: z.nullable(z.string()).check(
    z.describe("The name under which the expert answers; null if they have given none"),
  ),
  email: z.nullable(z.string()).check(z.describe("The email address; null if the user has none")),
});

/** The name and picture under which an expert answers people. */
export const ExpertFace = z.object({
  name: z.nullable(z.string()).check(z.describe("Null: people see the name of the persona")),
  picture_url: z.nullable(z.string()).check(
    z.describe(
      "Everybody can read it. Null: people see the picture of the persona or, beside a name of one's own, none",
    ),
  ),
});

/** An expert of a coach, as other experts see them. */
export const Expert = z.object({
  ...ExpertName.shape,
  role,
  is_you: z.boolean().check(z.describe("Whether this is the signed-in user")),
  created_at: Timestamp.check(z.describe("When the user became an expert of the coach")),
});

/** An invitation that nobody has accepted yet. */
export const Invitation = z.object({
  id: Uuid,
  role,
  email: z.nullable(z.string()).check(z.describe("Whom it is for; null if that was not said")),
  created_at: Timestamp,
  expires_at: Timestamp,
});

/** The user whom a path names: `me` is the signed-in one. @throws 401 for `me` if nobody is signed in. */
export function nameUser(asked: string, signedIn: string | null): string {
  if (asked !== "me") return asked;
  if (signedIn === null) throw errors.signInFirst();
  return signedIn;
}
