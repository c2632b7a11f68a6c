import { errors } from "../errors.ts";

const refusals = { coach_not_found: errors.coachNotFound, not_the_expert: errors.notTheExpert };

/** @throws what a refusal of Postgres means; nothing for null. */
export function refuseExpert(refusal: keyof typeof refusals | null): void {
  if (refusal !== null) throw refusals[refusal]();
}
