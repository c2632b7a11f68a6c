import { errors } from "../../base/errors.ts";
import { readRefusal } from "../../infra/db/read_refusal.ts";
import { Refusal } from "./store.ts";

const refusals = {
  coach_not_found: errors.coachNotFound,
  not_the_expert: errors.notTheExpert,
  pinned_answer_not_found: errors.pinnedAnswerNotFound,
  passage_not_found: errors.passageNotFound,
};

/**
 * The reply of a call for the expert behind a coach.
 *
 * @throws 404 if the caller has no such coach, or the coach no such thing; 403 for anyone but the expert; 409 for a
 * question that is pinned already.
 */
export function requireDone(reply: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const refusal = readRefusal("list_pinned_answers", reply, Refusal);
  if (refusal === null) return reply;
  throw refusal.error === "already_pinned" ? errors.alreadyPinned(refusal.answer_id) : refusals[refusal.error]();
}
