import { assertEquals } from "./assert.ts";

/** What clients are told. `{}` in a sentence stands for what differs from case to case. */
type Row = readonly [
  status: number,
  sentence: string,
  more?: {
    /** What the MCP server adds. */
    remedy?: string;
    /** Further fields of the body. */
    fields?: Record<string, unknown>;
    /** True: body and header say after how many seconds to try again. */
    waits?: boolean;
  },
];

/**
 * Every refusal and failure of the interface by its code, written down a second time: what clients rely on must not change
 * because the service does. A code with several sentences has a row for each, named after a slash.
 */
const rows = {
  file_is_page: [409, "This file is a page of a source, which is read again by itself"],
  file_exists: [409, "Another file has this name and this content"],
  missing_api_key: [401, "Missing API key", {
    remedy: "In the MCP client's configuration of this server, set the header X-API-Key to a key of this service.",
  }],
  invalid_api_key: [401, "Invalid API key", {
    remedy: "The key in the header X-API-Key is mistyped, expired or revoked. Set a valid one in the MCP client's " +
      "configuration of this server.",
  }],
  "invalid_api_key/app": [401, "Invalid API key", {
    remedy:
      "The key in the address of this server is mistyped, expired or revoked, or was not issued for AI clients. " +
      "Ask those who gave you the address for a new one.",
  }],
  "misplaced_api_key/secret": [
    401,
    "A secret API key must not be sent in the header apikey, since anyone who opens the page can read it. Use a publishable key",
  ],
  "misplaced_api_key/publishable": [401, "A publishable API key belongs in the header apikey", {
    remedy: "Set the header X-API-Key to a secret key of this service.",
  }],
  "misplaced_api_key/address": [
    401,
    "A secret API key must not be part of an address, since addresses are logged. Use a publishable key, or send the secret key in the header X-API-Key",
  ],
  "misplaced_api_key/function": [
    401,
    "This function needs a secret API key: it has no use for a publishable one",
  ],
  invalid_secret_key: [401, "Missing or invalid secret key"],
  unavailable: [503, "The service is temporarily unavailable", { fields: { details: "A backend did not answer" } }],
  "unavailable/uploads": [503, "The service is temporarily unavailable", {
    fields: { details: "Too many uploads are in progress" },
  }],
  "unavailable/picture": [503, "The service is temporarily unavailable", {
    fields: { details: "The same picture is being removed" },
  }],
  "unavailable/sheet": [503, "The service is temporarily unavailable", {
    fields: { details: "Others are importing sheets or changing the same answers" },
  }],
  "unavailable/health": [503, "The service is temporarily unavailable", {
    fields: { details: "A part of the service does not work" },
  }],
  origin_not_allowed: [403, "Origin not allowed"],
  rate_limit_exceeded: [429, "Rate limit exceeded", {
    fields: { message: "Too many requests. Please try again later." },
    waits: true,
  }],
  sign_in_first: [401, "Sign in first"],
  "sign_in_first/app": [401, "Sign in first", {
    remedy: "This server signs you in with OAuth. Use an AI client that supports this, and connect it again.",
  }],
  invalid_access_token: [401, "Invalid or expired access token", {
    remedy:
      "Sign in again and send the new access token in the header Authorization, or leave that header out to act " +
      "with the API key alone.",
  }],
  "invalid_access_token/app": [401, "Invalid or expired access token", {
    remedy: "Connect the AI client to this server again. The token of a page does not work here.",
  }],
  not_found: [404, "Not found"],
  method_not_allowed: [405, "Method not allowed"],
  missing_scope: [403, "This API key lacks the scope {}", { remedy: "Use a key that has it." }],
  upload_too_slow: [408, "The upload took too long"],
  too_many_files: [413, "At most {} files can be uploaded at once"],
  body_too_large: [413, "The request body is larger than {}"],
  invalid_json: [400, "Invalid JSON body"],
  malformed_upload: [400, "The request body is not valid multipart form data"],
  invalid_input: [400, "{}"],
  idempotency_key_reused: [422, "This Idempotency-Key was already used with a different request"],
  user_mismatch: [403, "userId does not match the access token"],
  not_the_coach: [403, "Only the coach may change this knowledge base"],
  not_the_expert: [403, "Only the expert behind this coach may do this", {
    remedy: "Sign in as the coach's own user, or use an API key with the scope expert and no access token.",
  }],
  role_not_sufficient: [403, "Your role does not allow this"],
  permanent_user_required: [403, "Sign in with an email address to become an expert"],
  "permanent_user_required/mail": [403, "Sign in with an account of your own to be notified by email"],
  last_owner: [409, "A persona needs at least one owner"],
  expert_not_found: [404, "Expert not found"],
  invitation_not_found: [404, "This invitation is not valid any more"],
  too_many_invitations: [409, "A coach can have at most 50 open invitations"],
  mail_not_available: [409, "This service does not send email notifications"],
  too_many_mails: [429, "Too many confirmation emails", {
    fields: { message: "Too many confirmation emails were sent. Please try again tomorrow." },
    waits: true,
  }],
  link_not_valid: [403, "This link is not valid any more"],
  coach_not_found: [404, "Coach not found", {
    remedy: "Call list-coaches to get the IDs of the coaches that you can talk to.",
  }],
  coach_paused: [404, "Coach not found"],
  slug_taken: [409, "This slug is taken"],
  too_many_slugs: [409, "The slug of a coach can be changed ten times at most"],
  not_published: [409, "The coach was never published"],
  may_not_create: [403, "You may not make further coaches in this account"],
  too_many_coaches: [409, "You can be the owner of at most 20 coaches here"],
  coach_mismatch: [400, "context.coachId is not the coach of this thread"],
  thread_not_found: [404, "Thread not found"],
  message_not_found: [404, "Message not found"],
  request_not_found: [404, "Request not found"],
  response_not_found: [404, "Response not found"],
  "response_not_found/previous": [400, "Previous response not found"],
  not_the_last_turn: [409, "Only the last response of a conversation can be deleted"],
  answer_unfinished: [409, "The answer is still being written"],
  not_the_last_answer: [409, "Only the last answer of a thread can be run again"],
  answer_not_retryable: [409, "This message was not written by the language model"],
  taken_over: [409, "The expert is answering this conversation in person"],
  budget_exhausted: [429, "Budget exhausted", {
    remedy: "Wait for the next period of the budget, or ask the operator of this service to raise it.",
    fields: { message: "The budget for this conversation is used up for now. Please try again later." },
    waits: true,
  }],
  "budget_exhausted/for_good": [429, "Budget exhausted", {
    remedy: "Wait for the next period of the budget, or ask the operator of this service to raise it.",
    fields: { message: "The budget for this conversation is used up." },
  }],
  price_unknown: [502, "The price of the language model is not known", {
    fields: { details: "A budget in money needs the prices of all models that are asked" },
  }],
  answer_changed: [409, "This answer was run again: read it from the beginning"],
  file_not_found: [404, "File not found"],
  address_not_valid: [403, "This address is not valid any more: ask for a new one"],
  text_changed: [409, "Somebody else has changed the text since"],
  contradiction_not_found: [404, "Contradiction not found"],
  source_not_found: [404, "Source not found"],
  passage_not_found: [404, "Passage not found"],
  "passage_not_found/gone": [404, "This passage is not in the file any more"],
  question_not_found: [404, "Question not found"],
  topic_not_found: [404, "Topic not found"],
  pinned_answer_not_found: [404, "Pinned answer not found"],
  already_pinned: [409, "This question already has a pinned answer"],
  invalid_sheet: [400, "{}"],
  reply_not_found: [404, "Reply not found"],
  too_many_replies: [409, "A coach can have at most 200 saved replies"],
  test_not_found: [404, "Test not found"],
  test_run_not_found: [404, "Test run not found"],
  too_many_tests: [409, "A coach can have at most 500 tests"],
  no_tests: [409, "This coach has no tests"],
  too_many_test_runs: [409, "Too many runs of this coach have not ended yet"],
  draft_changed: [409, "Somebody else has changed the draft since"],
  version_changed: [409, "Somebody else has published since"],
  nothing_to_publish: [409, "This is already what is published"],
  version_not_found: [404, "Version not found"],
  message_too_long: [413, "This message is too long for the language model", { remedy: "Send a shorter message." }],
  model_refused: [422, "The language model declined to answer this. Please rephrase it."],
  model_busy: [503, "The language model is busy. Please try again later."],
  model_misconfigured: [502, "The language model is not set up correctly"],
  model_unavailable: [502, "The language model is unavailable"],
  answer_failed: [502, "The answer failed"],
  model_timed_out: [504, "The language model did not answer in time"],
  internal_error: [500, "{}", { fields: { details: "A backend did not answer as expected" } }],
} as const satisfies Record<string, Row>;

/** A refusal: its code, and the name of the sentence if the code has several. */
export type Refusal = keyof typeof rows;

/** A refusal as clients see it. `fields`: the further ones of the body. `waits`: see above. */
export type Told = {
  status: number;
  code: string;
  error: string;
  fields: Record<string, unknown>;
  waits: boolean;
};

/** All refusals. */
export const refusals = Object.keys(rows) as Refusal[];

/** True if a refusal has a sentence of its own for each case. */
export function isOpen(refusal: Refusal): boolean {
  return rows[refusal][1].includes("{}");
}

/** What clients are told. `what` takes the place of `{}` in the sentence. */
export function told(refusal: Refusal, what?: string): Told {
  const [status, sentence, { fields = {}, waits = false } = {}]: Row = rows[refusal];
  assertEquals(what !== undefined, isOpen(refusal), `What fills the sentence of ${refusal}`);
  const [code = ""] = refusal.split("/");
  return { status, code, error: sentence.replace("{}", () => what ?? ""), fields, waits };
}

/** The failure of an answer, as events tell it. */
export function failureOf(refusal: Refusal, what?: string): Pick<Told, "status" | "code" | "error"> {
  const { status, code, error } = told(refusal, what);
  return { status, code, error };
}

/** The sentence of a refusal. */
export function sentenceOf(refusal: Refusal, what?: string): string {
  return told(refusal, what).error;
}

/** What the MCP server adds to the sentence of a refusal, if anything. */
export function remedyOf(refusal: Refusal): string | undefined {
  const [, , { remedy } = {}]: Row = rows[refusal];
  return remedy;
}

/** The sentence that the MCP server tells, with the remedy if there is one. */
export function sentenceWithRemedy(refusal: Refusal, what?: string): string {
  const remedy = remedyOf(refusal);
  return remedy === undefined ? sentenceOf(refusal, what) : `${sentenceOf(refusal, what)}. ${remedy}`;
}
