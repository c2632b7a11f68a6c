import { type ApiError, errors } from "../infra/errors.ts";
import type { CallerFunction } from "../infra/db/account_database.ts";
import { DatabaseError, unreadableReply } from "../infra/db/database.ts";
import { fieldsOf } from "../libs/base/fields_of.ts";

type ToError = (refusal: Record<string, unknown>) => ApiError;

/**
 * The errors of the refusals of SQL: a function replies `{"error": "…"}` in place of its result. Those that are left out have
 * the name of their error, such as `coach_not_found`.
 */
const refusals: Record<string, ToError> = {
  already_pinned: ({ answer_id }) => errors.alreadyPinned(String(answer_id)),
  assignee_not_an_expert: () => errors.invalidInput("assigned_to must be an expert of the coach"),
  budget_exhausted: ({ retry_after }) =>
    errors.budgetExhausted(typeof retry_after === "number" ? retry_after : undefined),
  days_not_in_order: () => errors.invalidInput("valid_until must not be before valid_from"),
  missing_scope: () => errors.missingScope("expert"),
  name_required: () => errors.invalidInput("name and title are required"),
  not_confirmed: () => errors.invalidInput("confirm must be the published name of the coach"),
  other_type: () => errors.invalidInput("filename must have the extension of its type"),
  question_required: () => errors.invalidInput("question is required"),
  response_not_found: errors.previousResponseNotFound,
  slug_not_valid: () =>
    errors.invalidInput(
      "slug must be 3 to 40 of a-z, 0-9 and -, begin and end with a letter or digit, and be no UUID or reserved word",
    ),
  time_zone_unknown: () => errors.invalidInput("time_zone is not known to the database", "time_zone"),
  unavailable: errors.pictureBusy,
  unknown_language: () => errors.invalidInput("language must be a text search configuration of Postgres"),
};

/** A publishable key has the scope only in the hands of the coach. */
const missingKnowledge = () => errors.missingScope("knowledge:read");

/** Refusals that mean something else of one function. */
const exceptions: { [Name in CallerFunction]?: Record<string, ToError> } = {
  answer_question: {
    question_required: () => errors.invalidInput("question is required: this question has no sentence yet"),
  },
  get_knowledge_file: { missing_scope: missingKnowledge },
  // Anonymous users have no account that an address could belong to.
  save_user_mail: { permanent_user_required: errors.mailNeedsUser },
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
  const toError = exceptions[name]?.[refusal.error] ?? refusals[refusal.error] ?? findNamesake(refusal.error);
  throw toError?.(refusal) ?? new DatabaseError(name, unreadableReply);
}

/** The error with the name of a refusal, unless it needs to be told more. */
function findNamesake(refusal: string): ToError | undefined {
  const name = refusal.replaceAll(/_[a-z]/g, (part) => part.charAt(1).toUpperCase());
  const toError = Object.hasOwn(errors, name) ? errors[name as keyof typeof errors] : undefined;
  return toError?.length === 0 ? toError as () => ApiError : undefined;
}
