import { errors } from "../../base/errors.ts";
import type { Refusal } from "./store.ts";

const refusals = {
  thread_not_found: errors.threadNotFound,
  not_the_expert: errors.notTheExpert,
  idempotency_key_reused: errors.idempotencyKeyReused,
  message_not_found: errors.messageNotFound,
  answer_unfinished: errors.answerUnfinished,
  passage_not_found: errors.passageNotFound,
  question_required: () => errors.invalidInput("question is required"),
};

/** Returns the reply of Postgres. @throws the error that belongs to a refusal. */
export function requireDone<Reply extends object>(reply: Reply | Refusal): Reply {
  if (!("error" in reply)) return reply;
  throw refusals[(reply as Refusal).error]();
}
