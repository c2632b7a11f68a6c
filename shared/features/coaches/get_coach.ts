import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { Coach } from "./fields.ts";

export const CoachWithTimes = z.object({
  ...Coach.shape,
  usual_reply_hours: z.nullable(z.number()).check(
    z.describe("How many hours the expert usually takes to answer in person; null: too few answers to tell"),
  ),
  tells_by_mail: z.boolean().check(
    z.describe("Whether this service can tell a person by mail that the expert has answered: see `askExpert`"),
  ),
});

/** A coach that the caller may talk to; 404 for others, also for one that is paused. */
export const operation = defineEndpoint({
  name: "getCoach",
  method: "GET",
  path: "/coaches/:coachId",
  scope: "chat",
  failure: "Failed to fetch the coach",
  errors: () => [errors.coachNotFound(), errors.coachPaused()],
  input: z.object({ coachId: requiredId("coachId", "The coach: `id` in the list of coaches") }),
  output: CoachWithTimes,
  verb: ({ database, services: { mail, pageUrl, picturesUrl } }, { coachId }) =>
    database.callForBytes("get_coach", {
      coach_id: requireCoachId(coachId),
      pictures_url: picturesUrl,
      tells_by_mail: mail !== null && pageUrl !== null,
    }),
});
