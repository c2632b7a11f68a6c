import { type ApiError, errors } from "../infra/errors.ts";
import type { CallerFunction } from "../infra/db/account_database.ts";
import { DatabaseError, unreadableReply } from "../infra/db/database.ts";
import { fieldsOf } from "../libs/base/fields_of.ts";

type ToError = (refusal: Record<string, unknown>) => ApiError;

/** The errors of the refusals of SQL: a function replies `{"error": "…"}` in place of its result. */
const refusals: Record<string, ToError> = {
  already_pinned: ({ answer_id }) => errors.alreadyPinned(String(answer_id)),
  answer_not_retryable: errors.answerNotRetryable,
  answer_unfinished: errors.answerUnfinished,
  assignee_not_an_expert: () => errors.invalidInput("assigned_to must be an expert of the coach"),
  budget_exhausted: ({ retry_after }) =>
    errors.budgetExhausted(typeof retry_after === "number" ? retry_after : undefined),
  coach_mismatch: errors.coachMismatch,
  coach_not_found: errors.coachNotFound,
  coach_paused: errors.coachPaused,
  coach_required: errors.coachRequired,
  contradiction_not_found: errors.contradictionNotFound,
  draft_changed: errors.draftChanged,
  days_not_in_order: () => errors.invalidInput("valid_until must not be before valid_from"),
  expert_not_found: errors.expertNotFound,
  file_exists: errors.fileExists,
  file_is_page: errors.fileIsPage,
  file_not_found: errors.fileNotFound,
  idempotency_key_reused: errors.idempotencyKeyReused,
  invitation_not_found: errors.invitationNotFound,
  link_not_valid: errors.linkNotValid,
  last_owner: errors.lastOwner,
  may_not_create: errors.mayNotCreate,
  message_not_found: errors.messageNotFound,
  missing_scope: () => errors.missingScope("expert"),
  name_required: () => errors.invalidInput("name and title are required"),
  no_tests: errors.noTests,
  not_confirmed: () => errors.invalidInput("confirm must be the published name of the coach"),
  not_published: errors.notPublished,
  nothing_to_publish: errors.nothingToPublish,
  not_the_coach: errors.notTheCoach,
  not_the_expert: errors.notTheExpert,
  not_the_last_answer: errors.notTheLastAnswer,
  not_the_last_turn: errors.notTheLastTurn,
  other_type: () => errors.invalidInput("filename must have the extension of its type"),
  passage_not_found: errors.passageNotFound,
  permanent_user_required: errors.permanentUserRequired,
  price_unknown: errors.priceUnknown,
  pinned_answer_not_found: errors.pinnedAnswerNotFound,
  question_not_found: errors.questionNotFound,
  question_required: () => errors.invalidInput("question is required"),
  reply_not_found: errors.replyNotFound,
  request_not_found: errors.requestNotFound,
  response_not_found: errors.previousResponseNotFound,
  role_not_sufficient: errors.roleNotSufficient,
  slug_not_valid: () =>
    errors.invalidInput(
      "slug must be 3 to 40 of a-z, 0-9 and -, begin and end with a letter or digit, and be no UUID or reserved word",
    ),
  slug_taken: errors.slugTaken,
  source_not_found: errors.sourceNotFound,
  taken_over: errors.takenOver,
  test_not_found: errors.testNotFound,
  text_changed: errors.textChanged,
  test_run_not_found: errors.testRunNotFound,
  thread_not_found: errors.threadNotFound,
  topic_not_found: errors.topicNotFound,
  too_many_coaches: errors.tooManyCoaches,
  too_many_invitations: errors.tooManyInvitations,
  time_zone_unknown: () => errors.invalidInput("time_zone is not known to the database", "time_zone"),
  too_many_mails: errors.tooManyMails,
  too_many_replies: errors.tooManyReplies,
  too_many_slugs: errors.tooManySlugs,
  too_many_test_runs: errors.tooManyTestRuns,
  too_many_tests: errors.tooManyTests,
  unavailable: errors.pictureBusy,
  unknown_language: () => errors.invalidInput("language must be a text search configuration of Postgres"),
  upload_too_slow: errors.uploadTooSlow,
  version_changed: errors.versionChanged,
  version_not_found: errors.versionNotFound,
};

/** A publishable key has the scope only in the hands of the coach. */
const missingKnowledge = () => errors.missingScope("knowledge:read");

/** Anonymous users have no account that an address could belong to. */
const visitor = { permanent_user_required: errors.mailNeedsUser };

/** Refusals that mean something else of one function. */
const exceptions: { [Name in CallerFunction]?: Record<string, ToError> } = {
  answer_question: {
    question_required: () => errors.invalidInput("question is required: this question has no sentence yet"),
  },
  get_knowledge_file: { missing_scope: missingKnowledge },
  get_user_mail: visitor,
  save_user_mail: visitor,
  delete_user_mail: visitor,
  get_passage: { missing_scope: missingKnowledge, passage_not_found: errors.passageGone },
  search_knowledge: { not_the_coach: missingKnowledge },
  get_text: { not_the_coach: missingKnowledge },
  list_file_changes: { not_the_coach: missingKnowledge },
  list_contradictions: { not_the_coach: missingKnowledge },
  list_sources: { not_the_coach: missingKnowledge },
  get_source: { not_the_coach: missingKnowledge },
};

/**
 * Passes on a result of SQL that is no refusal.
 *
 * @throws {ApiError} what a refusal means; {DatabaseError} for a refusal of which nothing is known.
 */
export function requireResult(name: CallerFunction, result: unknown): unknown {
  const refusal = fieldsOf(result);
  if (typeof refusal.error !== "string") return result;
  const toError = exceptions[name]?.[refusal.error] ?? refusals[refusal.error];
  throw toError?.(refusal) ?? new DatabaseError(name, unreadableReply);
}
