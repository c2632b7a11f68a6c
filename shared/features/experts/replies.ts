import * as z from "zod/mini";
import { Count, NextCursor, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { Coach } from "../coaches/replies.ts";
import { roles } from "./roles.ts";

const Role = z.enum(roles).check(
  z.describe(
    "`answerer`: questions and conversations; `editor`: also files, sources, tests, pinned answers and the draft; " +
      "`owner`: everything",
  ),
);

/** An expert of a coach, as other experts see them. */
export const Expert = z.object({
  user_id: Uuid,
  email: z.nullable(z.string()).check(z.describe("The email address; null if the user has none")),
  role: Role,
  is_you: z.boolean().check(z.describe("Whether this is the signed-in user")),
  created_at: Timestamp.check(z.describe("When the user became an expert of the coach")),
});

/** Reply of `GET /coaches/{coachId}/experts`. */
export const ExpertList = z.object({
  data: z.array(Expert).check(z.describe("Those who have been experts for longest first")),
  count: Count.check(z.describe("The number of experts in `data`")),
  next_cursor: NextCursor,
});

/** Reply of `DELETE /coaches/{coachId}/experts/{userId}`. */
export const RemovedExpert = z.object({
  message: z.literal("Expert removed successfully"),
  userId: z.string().check(z.describe("The user who is no longer an expert of the coach")),
});
export type RemovedExpert = z.infer<typeof RemovedExpert>;

/** An invitation that nobody has accepted yet. */
export const Invitation = z.object({
  id: Uuid,
  role: Role,
  email: z.nullable(z.string()).check(z.describe("Whom it is for; null if that was not said")),
  created_at: Timestamp,
  expires_at: Timestamp,
});

/** Reply of `POST /coaches/{coachId}/invitations`. */
export const NewInvitation = z.object({
  ...Invitation.shape,
  token: z.string().check(z.describe("The token, shown this once. Whoever has it can accept the invitation")),
  url: z.nullable(z.string()).check(
    z.describe("The link to the desk; null if the service does not know its address (`DESK_URL`)"),
  ),
});
export type NewInvitation = z.infer<typeof NewInvitation>;

/** Reply of `GET /coaches/{coachId}/invitations`. */
export const InvitationList = z.object({
  data: z.array(Invitation).check(z.describe("Newest first, without accepted and expired ones")),
  count: Count.check(z.describe("The number of invitations in `data`")),
  next_cursor: NextCursor,
});

/** Reply of `DELETE /coaches/{coachId}/invitations/{invitationId}`. */
export const DeletedInvitation = z.object({
  message: z.literal("Invitation deleted successfully"),
  invitationId: z.string(),
});
export type DeletedInvitation = z.infer<typeof DeletedInvitation>;

const NamedUser = z.object({ user_id: Uuid, email: z.nullable(z.string()) });

/** One thing that somebody did to a coach or its experts. */
export const Act = z.object({
  id: z.int(),
  kind: z.string().check(z.describe("What was done, such as `expert.invited` or `coach.published`. More may be added")),
  coach_id: z.nullable(z.string()),
  subject: z.nullable(z.string()).check(
    z.describe("What it was done to: the ID of a user, an invitation or a budget, or the number of a version"),
  ),
  subject_user: z.nullable(NamedUser).check(z.describe("The expert whom it was done to; null if that is not one")),
  by: z.enum(["expert", "server", "operator"]).check(
    z.describe("Who did it: an expert, a server with a key, or the operator"),
  ),
  user: z.nullable(NamedUser).check(z.describe("The expert who did it; null for others, and for somebody who is gone")),
  api_key_id: z.nullable(Uuid).check(z.describe("The key that it was done with; null for the operator")),
  created_at: Timestamp,
});

/** Reply of `GET /coaches/{coachId}/acts`. */
export const ActList = z.object({
  data: z.array(Act).check(z.describe("Newest first")),
  count: Count.check(z.describe("The number of acts in `data`")),
  next_cursor: NextCursor,
});

/** Reply of `POST /coaches/invitations/preview`. */
export const InvitationPreview = z.object({
  role: Role,
  coach: z.nullable(z.object({ name: z.string(), title: z.string() })).check(
    z.describe("The coach; null if the invitation is for a new one"),
  ),
  expires_at: Timestamp,
});

/** Reply of `POST /coaches/invitations/accept`. */
export const AcceptedInvitation = z.object({
  coach_id: z.string(),
  role: Role,
  is_new: z.boolean().check(z.describe("Whether the coach was made for this invitation")),
});

/** A coach whose expert the user is. */
export const OwnCoach = z.object({
  ...Coach.shape,
  role: Role,
  is_active: z.boolean().check(z.describe("Whether the coach answers; one that was never published does not")),
});

/** Reply of `GET /users/{userId}/coaches`. */
export const OwnCoachList = z.object({
  data: z.array(OwnCoach).check(z.describe("By name")),
  count: Count.check(z.describe("The number of coaches in `data`")),
  next_cursor: NextCursor,
});
