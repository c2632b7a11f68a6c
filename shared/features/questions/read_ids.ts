import { requireCoachId, uuidPattern } from "../../core/wire/ids.ts";

/** An ID that no question has. If the ID of a question is not a UUID, only the coach is looked up. */
const nobody = "00000000-0000-0000-0000-000000000000";

/** @throws 404 if no coach can have such an id. */
export function readIds({ coachId, questionId }: { coachId: string; questionId: string }) {
  return { coachId: requireCoachId(coachId), questionId: uuidPattern.test(questionId) ? questionId : nobody };
}
