import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { replyFields } from "./coach_fields.ts";

export const coachId = requiredId("coachId", "The coach whose owner makes the request");

/** A persona that the caller may talk to. */
export const Coach = z.object({
  id: z.string().check(z.describe("The `coachId` of other requests")),
  ...replyFields("public"),
  picture_url: z.nullable(z.string()).check(
    z.describe("The address of the coach's picture, which everybody can read; null if there is none"),
  ),
  is_ai: z.literal(true).check(z.describe("The coach is a persona played by a language model, not a person")),
  retention_days: z.nullable(z.int()).check(
    z.describe("For how many days threads are kept after their last message; null: until they are deleted"),
  ),
});

/** Settings of a coach, which hold at once, without being published. */
export const CoachSettings = z.object(replyFields("settings"));

/** The errors of every operation for the experts of a coach. */
export const ofExperts = () => [errors.notTheExpert(), errors.coachNotFound()];

/** The errors of those for some roles. */
export const ofRoles = () => [...ofExperts(), errors.roleNotSufficient()];
