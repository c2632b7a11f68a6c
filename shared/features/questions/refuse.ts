import { type ApiError, errors } from "../../base/errors.ts";
import { requireCoachId } from "../../core/wire/require_coach_id.ts";
import { uuidPattern } from "../../core/wire/uuid.ts";
import type { Refusal } from "./store.ts";

const refusals: Record<Refusal, () => ApiError> = {
  coach_not_found: errors.coachNotFound,
  not_the_expert: errors.notTheExpert,
  question_not_found: errors.questionNotFound,
};

/** The error that a refusal of Postgres means. */
export function toError(refusal: Refusal): ApiError {
  return refusals[refusal]();
}

/** An id that no question has: of a question whose id is no UUID only the coach is looked up. */
const nobody = "00000000-0000-0000-0000-000000000000";

/** @throws 404 where no coach can have such an id. */
export function readIds({ coachId, questionId }: { coachId: string; questionId: string }) {
  return { coachId: requireCoachId(coachId), questionId: uuidPattern.test(questionId) ? questionId : nobody };
}
