import * as z from "zod/mini";
import { countCharacters } from "../../base/text/count_characters.ts";
import { isStorableText } from "../../base/text/storable_text.ts";
import { stripInvisible } from "../../base/text/strip_invisible.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import { cursorField, limitField, pageFields } from "../../core/wire/paging.ts";
import { cursorForm, readCursor } from "../coaches/cursor.ts";
import { roles } from "./roles.ts";

const coachId = requiredId("coachId", "The coach whose expert makes the request");
const userId = requiredId("userId", "The expert: `user_id` in the list, or `me` with an access token");
const invitationId = requiredId("invitationId", "The invitation: `id` in the list");

const uuidKey = new RegExp(uuidPattern.source.slice(1, -1));

const role = z.enum(roles, "role must be owner, editor or answerer");

/** Input of `listExperts`. The cursor contains the ID, because experts may have been added at the same time. */
export const ListExpertsInput = z.object({ coachId, ...pageFields(uuidKey) });
export type ListExpertsInput = z.infer<typeof ListExpertsInput>;

/** Input of `updateExpert`. */
export const UpdateExpertInput = z.object({
  coachId,
  userId,
  role: role.check(z.describe("The new role")),
});
export type UpdateExpertInput = z.infer<typeof UpdateExpertInput>;

/** Input of `removeExpert`. */
export const RemoveExpertInput = z.object({ coachId, userId });
export type RemoveExpertInput = z.infer<typeof RemoveExpertInput>;

const mostEmailCharacters = 254;
const emailError = "email must be an email address";

/** Input of `createInvitation`. */
export const CreateInvitationInput = z.object({
  coachId,
  role: role.check(z.describe("The role of whoever accepts the invitation")),
  email: z.optional(
    z.string(emailError).check(
      z.refine(isStorableText, { error: emailError, abort: true }),
      z.refine((text) => countCharacters(text) <= mostEmailCharacters, { error: emailError, abort: true }),
      z.email(emailError),
    ),
  ).check(
    z.describe(
      "Whom the invitation is for. Where mail is set up, it is sent there. Anybody with the link can accept it",
    ),
  ),
});
export type CreateInvitationInput = z.infer<typeof CreateInvitationInput>;

/** Input of `listInvitations`. */
export const ListInvitationsInput = z.object({ coachId, ...pageFields(uuidKey) });
export type ListInvitationsInput = z.infer<typeof ListInvitationsInput>;

/** Input of `deleteInvitation`. */
export const DeleteInvitationInput = z.object({ coachId, invitationId });
export type DeleteInvitationInput = z.infer<typeof DeleteInvitationInput>;

/** Input of `listActs`. A cursor is the number of the last act of the page before. */
export const ListActsInput = z.object({ coachId, limit: limitField, cursor: cursorField(/^[1-9]\d{0,14}$/) });
export type ListActsInput = z.infer<typeof ListActsInput>;

const token = z.string("token is required").check(
  z.refine((text) => text !== "", "token is required"),
  z.describe("The token of the invitation: what follows `#invitation=` in its link"),
);

/** Input of `previewInvitation`. */
export const PreviewInvitationInput = z.object({ token });
export type PreviewInvitationInput = z.infer<typeof PreviewInvitationInput>;

const mostNameCharacters = 200;

/** A line about a coach to come, without white space at its ends. */
function lineField(name: string, description: string) {
  return z.optional(
    z.string(`${name} must be a string`).check(
      z.trim(),
      z.refine(isStorableText, {
        error: `${name} must not contain NUL characters or unpaired surrogates`,
        abort: true,
      }),
      z.refine((text) => stripInvisible(text).trim() !== "", { error: `${name} must not be blank`, abort: true }),
      z.refine(
        (text) => countCharacters(text) <= mostNameCharacters,
        `${name} must be at most ${mostNameCharacters} characters long`,
      ),
      z.meta({ minLength: 1, maxLength: mostNameCharacters }),
    ),
  ).check(z.describe(description));
}

/** Input of `acceptInvitation`. */
export const AcceptInvitationInput = z.object({
  token,
  name: lineField("name", "The full name of the persona, if the invitation is for a new one; otherwise ignored"),
  title: lineField("title", "Its professional title, likewise"),
});
export type AcceptInvitationInput = z.infer<typeof AcceptInvitationInput>;

/** Input of `listOwnCoaches`. The cursor contains the ID, because coaches may have the same name. */
export const ListOwnCoachesInput = z.object({
  userId: requiredId("userId", "The expert: the ID in the access token, or `me`; for a server, any user"),
  limit: limitField,
  cursor: cursorField(cursorForm, (cursor) => readCursor(cursor) !== null),
});
export type ListOwnCoachesInput = z.infer<typeof ListOwnCoachesInput>;
