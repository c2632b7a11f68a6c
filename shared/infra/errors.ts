/** Names every error for programs, which must not depend on its sentence. A code is never given a second meaning. */
export const errorCodes = [
  "missing_api_key",
  "invalid_api_key",
  "misplaced_api_key",
  "invalid_secret_key",
  "unavailable",
  "origin_not_allowed",
  "rate_limit_exceeded",
  "sign_in_first",
  "invalid_access_token",
  "not_found",
  "method_not_allowed",
  "missing_scope",
  "upload_too_slow",
  "too_many_files",
  "body_too_large",
  "invalid_json",
  "malformed_upload",
  "invalid_input",
  "idempotency_key_reused",
  "user_mismatch",
  "not_the_coach",
  "not_the_expert",
  "role_not_sufficient",
  "permanent_user_required",
  "last_owner",
  "expert_not_found",
  "invitation_not_found",
  "too_many_invitations",
  "mail_not_available",
  "too_many_mails",
  "link_not_valid",
  "coach_not_found",
  "coach_paused",
  "coach_mismatch",
  "slug_taken",
  "too_many_slugs",
  "not_published",
  "may_not_create",
  "too_many_coaches",
  "thread_not_found",
  "message_not_found",
  "request_not_found",
  "response_not_found",
  "not_the_last_turn",
  "answer_unfinished",
  "not_the_last_answer",
  "answer_not_retryable",
  "taken_over",
  "budget_exhausted",
  "price_unknown",
  "answer_changed",
  "file_is_page",
  "file_exists",
  "file_not_found",
  "address_not_valid",
  "source_not_found",
  "contradiction_not_found",
  "passage_not_found",
  "question_not_found",
  "topic_not_found",
  "pinned_answer_not_found",
  "already_pinned",
  "invalid_sheet",
  "reply_not_found",
  "too_many_replies",
  "test_not_found",
  "test_run_not_found",
  "too_many_tests",
  "no_tests",
  "too_many_test_runs",
  "draft_changed",
  "text_changed",
  "version_changed",
  "nothing_to_publish",
  "version_not_found",
  "message_too_long",
  "model_refused",
  "model_busy",
  "model_misconfigured",
  "model_unavailable",
  "answer_failed",
  "model_timed_out",
  "internal_error",
  // Of messages that the MCP server refuses.
  "invalid_message",
  "too_many_values",
  "not_acceptable",
  "unsupported_media_type",
  "unknown_method",
  "unknown_tool",
] as const;
export type ErrorCode = typeof errorCodes[number];

/** The parts of an {@link ApiError} besides its status, code and sentence. */
export type ApiErrorOptions = {
  /** For operators of the calling application; server failures only, never SQL, stacks, keys or prompts. */
  details?: string;
  /** The remedy. Only the MCP server sends it: its users have not read how the service works. */
  remedy?: string;
  /** The parameter at fault; only the function `openai` sends it. */
  param?: string;
  /** Further fields of the body. */
  fields?: Record<string, unknown>;
  /** Further headers of the reply. */
  headers?: Record<string, string>;
  /** The underlying error; logged, never sent. */
  cause?: unknown;
};

/** A refusal or failure as clients see it: an HTTP status, a code and a sentence. */
export class ApiError extends Error {
  override name = "ApiError";

  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    readonly options: ApiErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
  }

  /** The same error with further fields in its body. */
  withFields(fields: Record<string, unknown>): ApiError {
    return new ApiError(this.status, this.code, this.message, {
      ...this.options,
      fields: { ...this.options.fields, ...fields },
    });
  }

  /** The JSON body of the reply. */
  toJSON(): Record<string, unknown> {
    const { details, fields } = this.options;
    return { error: this.message, ...(details === undefined ? {} : { details }), ...fields };
  }
}

/** For failures that pass: the seconds after which a request may be sent again. */
const soon = { "Retry-After": "5" };

/** Every error of the service, in the order in which a request may meet them. */
export const errors = {
  missingApiKey: () =>
    new ApiError(401, "missing_api_key", "Missing API key", {
      remedy: "In the MCP client's configuration of this server, set the header X-API-Key to a key of this service.",
    }),
  invalidApiKey: () =>
    new ApiError(401, "invalid_api_key", "Invalid API key", {
      remedy: "The key in the header X-API-Key is mistyped, expired or revoked. Set a valid one in the MCP client's " +
        "configuration of this server.",
    }),
  misplacedSecretKey: () =>
    new ApiError(
      401,
      "misplaced_api_key",
      "A secret API key must not be sent in the header apikey, since anyone who opens the page can read it. Use a publishable key",
    ),
  misplacedPublishableKey: () =>
    new ApiError(401, "misplaced_api_key", "A publishable API key belongs in the header apikey", {
      remedy: "Set the header X-API-Key to a secret key of this service.",
    }),
  /** Of an AI client, whose address of the MCP server holds a key. */
  invalidMcpAddress: () =>
    new ApiError(401, "invalid_api_key", "Invalid API key", {
      remedy: "The key in the address of this server is mistyped, expired or revoked, or was not issued for AI " +
        "clients. Ask those who gave you the address for a new one.",
    }),
  secretKeyInAddress: () =>
    new ApiError(
      401,
      "misplaced_api_key",
      "A secret API key must not be part of an address, since addresses are logged. Use a publishable key, or send the secret key in the header X-API-Key",
    ),
  publishableKeyRefused: () =>
    new ApiError(401, "misplaced_api_key", "This function needs a secret API key: it has no use for a publishable one"),
  originNotAllowed: () => new ApiError(403, "origin_not_allowed", "Origin not allowed"),
  invalidSecretKey: () => new ApiError(401, "invalid_secret_key", "Missing or invalid secret key"),
  unavailable: (cause: unknown) =>
    new ApiError(503, "unavailable", "The service is temporarily unavailable", {
      details: "A backend did not answer",
      headers: soon,
      cause,
    }),
  /** Of the whole service, to monitors. */
  unhealthy: () =>
    new ApiError(503, "unavailable", "The service is temporarily unavailable", {
      details: "A part of the service does not work",
      headers: soon,
    }),
  rateLimitExceeded: (retryAfter: number) =>
    new ApiError(429, "rate_limit_exceeded", "Rate limit exceeded", {
      fields: { message: "Too many requests. Please try again later.", retryAfter },
      headers: { "Retry-After": String(retryAfter) },
    }),
  signInFirst: () => new ApiError(401, "sign_in_first", "Sign in first"),
  invalidAccessToken: (cause?: unknown) =>
    new ApiError(401, "invalid_access_token", "Invalid or expired access token", {
      remedy: "Sign in again and send the new access token in the header Authorization, or leave that header out to " +
        "act with the API key alone.",
      cause,
    }),
  /** Of an AI client. `challenge` tells it where its user signs in. */
  appMustSignIn: (challenge: string) =>
    new ApiError(401, "sign_in_first", "Sign in first", {
      remedy: "This server signs you in with OAuth. Use an AI client that supports this, and connect it again.",
      headers: { "WWW-Authenticate": challenge },
    }),
  /** Of an AI client, whose token is not valid, or was not issued to an AI client. `challenge`: as above. */
  invalidAppToken: (challenge: string, cause?: unknown) =>
    new ApiError(401, "invalid_access_token", "Invalid or expired access token", {
      remedy: "Connect the AI client to this server again. The token of a page does not work here.",
      headers: { "WWW-Authenticate": `${challenge}, error="invalid_token"` },
      cause,
    }),
  notFound: () => new ApiError(404, "not_found", "Not found"),
  methodNotAllowed: (allowed: string) =>
    new ApiError(405, "method_not_allowed", "Method not allowed", { headers: { Allow: allowed } }),
  missingScope: (scope: string) =>
    new ApiError(403, "missing_scope", `This API key lacks the scope ${scope}`, { remedy: "Use a key that has it." }),
  tooManyUploads: () =>
    new ApiError(503, "unavailable", "The service is temporarily unavailable", {
      details: "Too many uploads are in progress",
      headers: soon,
    }),
  uploadTooSlow: () => new ApiError(408, "upload_too_slow", "The upload took too long"),
  tooManyFiles: (limit: number) =>
    new ApiError(413, "too_many_files", `At most ${limit} files can be uploaded at once`),
  bodyTooLarge: (limit: string) => new ApiError(413, "body_too_large", `The request body is larger than ${limit}`),
  invalidJson: () => new ApiError(400, "invalid_json", "Invalid JSON body"),
  malformedUpload: () => new ApiError(400, "malformed_upload", "The request body is not valid multipart form data"),
  /** `sentence` says what to change. */
  invalidInput: (sentence: string, param?: string) => new ApiError(400, "invalid_input", sentence, { param }),
  idempotencyKeyReused: () =>
    new ApiError(422, "idempotency_key_reused", "This Idempotency-Key was already used with a different request"),
  userMismatch: () => new ApiError(403, "user_mismatch", "userId does not match the access token"),
  notTheCoach: () => new ApiError(403, "not_the_coach", "Only the coach may change this knowledge base"),
  notTheExpert: () =>
    new ApiError(403, "not_the_expert", "Only the expert behind this coach may do this", {
      remedy: "Sign in as the coach's own user, or use an API key with the scope expert and no access token.",
    }),
  roleNotSufficient: () => new ApiError(403, "role_not_sufficient", "Your role does not allow this"),
  /** Of a visitor: anonymous users and those of an application's own login cannot be experts. */
  permanentUserRequired: () =>
    new ApiError(403, "permanent_user_required", "Sign in with an email address to become an expert"),
  /** Of a visitor who wants to be told by mail. */
  mailNeedsUser: () =>
    new ApiError(403, "permanent_user_required", "Sign in with an account of your own to be notified by email"),
  mailNotAvailable: () => new ApiError(409, "mail_not_available", "This service does not send email notifications"),
  tooManyMails: () =>
    new ApiError(429, "too_many_mails", "Too many confirmation emails", {
      fields: { message: "Too many confirmation emails were sent. Please try again tomorrow.", retryAfter: 86_400 },
      headers: { "Retry-After": "86400" },
    }),
  /** Of a link in a mail: it was changed, has expired, or what it is about is gone. */
  linkNotValid: () => new ApiError(403, "link_not_valid", "This link is not valid any more"),
  lastOwner: () => new ApiError(409, "last_owner", "A persona needs at least one owner"),
  expertNotFound: () => new ApiError(404, "expert_not_found", "Expert not found"),
  /** Of an invitation that is unknown, used or expired: a stranger is not told which. */
  invitationNotFound: () => new ApiError(404, "invitation_not_found", "This invitation is not valid any more"),
  tooManyInvitations: () => new ApiError(409, "too_many_invitations", "A coach can have at most 50 open invitations"),
  coachNotFound: () =>
    new ApiError(404, "coach_not_found", "Coach not found", {
      remedy: "Call list-coaches to get the IDs of the coaches that you can talk to.",
    }),
  /** Of one that its owner has paused. */
  coachPaused: () => new ApiError(404, "coach_paused", "Coach not found"),
  slugTaken: () => new ApiError(409, "slug_taken", "This slug is taken"),
  tooManySlugs: () => new ApiError(409, "too_many_slugs", "The slug of a coach can be changed ten times at most"),
  notPublished: () => new ApiError(409, "not_published", "The coach was never published"),
  mayNotCreate: () => new ApiError(403, "may_not_create", "You may not make further coaches in this account"),
  tooManyCoaches: () => new ApiError(409, "too_many_coaches", "You can be the owner of at most 20 coaches here"),
  coachMismatch: () => new ApiError(400, "coach_mismatch", "context.coachId is not the coach of this thread"),
  coachRequired: () => errors.invalidInput("context.coachId is required to start a thread"),
  threadNotFound: () => new ApiError(404, "thread_not_found", "Thread not found"),
  messageNotFound: () => new ApiError(404, "message_not_found", "Message not found"),
  requestNotFound: () => new ApiError(404, "request_not_found", "Request not found"),
  responseNotFound: () => new ApiError(404, "response_not_found", "Response not found"),
  previousResponseNotFound: () =>
    new ApiError(400, "response_not_found", "Previous response not found", { param: "previous_response_id" }),
  notTheLastTurn: () =>
    new ApiError(409, "not_the_last_turn", "Only the last response of a conversation can be deleted"),
  answerUnfinished: () => new ApiError(409, "answer_unfinished", "The answer is still being written"),
  notTheLastAnswer: () => new ApiError(409, "not_the_last_answer", "Only the last answer of a thread can be run again"),
  answerNotRetryable: () =>
    new ApiError(409, "answer_not_retryable", "This message was not written by the language model"),
  fileIsPage: () => new ApiError(409, "file_is_page", "This file is a page of a source, which is read again by itself"),
  fileExists: () => new ApiError(409, "file_exists", "Another file has this name and this content"),
  fileNotFound: () => new ApiError(404, "file_not_found", "File not found"),
  sourceNotFound: () => new ApiError(404, "source_not_found", "Source not found"),
  contradictionNotFound: () => new ApiError(404, "contradiction_not_found", "Contradiction not found"),
  takenOver: () => new ApiError(409, "taken_over", "The expert is answering this conversation in person"),
  /** `retryAfter`: the seconds to the next period; left out if the budget is never renewed. */
  budgetExhausted: (retryAfter?: number) =>
    new ApiError(429, "budget_exhausted", "Budget exhausted", {
      remedy: "Wait for the next period of the budget, or ask the operator of this service to raise it.",
      fields: {
        message: retryAfter === undefined
          ? "The budget for this conversation is used up."
          : "The budget for this conversation is used up for now. Please try again later.",
        ...(retryAfter === undefined ? {} : { retryAfter }),
      },
      headers: retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) },
    }),
  /** Of a budget in money: it cannot be kept. */
  priceUnknown: () =>
    new ApiError(502, "price_unknown", "The price of the language model is not known", {
      details: "A budget in money needs the prices of all models that are asked",
    }),
  /** Of a signed address: it was changed, or its minute is over. */
  addressNotValid: () =>
    new ApiError(403, "address_not_valid", "This address is not valid any more: ask for a new one"),
  /** Of a passage that an answer names: the file was read again, and has another text now. */
  passageGone: () => new ApiError(404, "passage_not_found", "This passage is not in the file any more"),
  passageNotFound: () => new ApiError(404, "passage_not_found", "Passage not found"),
  questionNotFound: () => new ApiError(404, "question_not_found", "Question not found"),
  topicNotFound: () => new ApiError(404, "topic_not_found", "Topic not found"),
  pinnedAnswerNotFound: () => new ApiError(404, "pinned_answer_not_found", "Pinned answer not found"),
  /** `answerId`: the pinned answer that has the question already. */
  alreadyPinned: (answerId: string) =>
    new ApiError(409, "already_pinned", "This question already has a pinned answer", { fields: { answerId } }),
  /** `rows`: those that cannot be used; none if the sheet as a whole cannot be read. */
  invalidSheet: (sentence: string, rows: { row: number; field: string | null; reason: string }[] = []) =>
    new ApiError(400, "invalid_sheet", sentence, { fields: { rows } }),
  /** Of a sheet whose turn did not come in time. */
  sheetBusy: () =>
    new ApiError(503, "unavailable", "The service is temporarily unavailable", {
      details: "Others are importing sheets or changing the same answers",
      headers: soon,
    }),
  replyNotFound: () => new ApiError(404, "reply_not_found", "Reply not found"),
  tooManyReplies: () => new ApiError(409, "too_many_replies", "A coach can have at most 200 saved replies"),
  testNotFound: () => new ApiError(404, "test_not_found", "Test not found"),
  testRunNotFound: () => new ApiError(404, "test_run_not_found", "Test run not found"),
  tooManyTests: () => new ApiError(409, "too_many_tests", "A coach can have at most 500 tests"),
  noTests: () => new ApiError(409, "no_tests", "This coach has no tests"),
  tooManyTestRuns: () => new ApiError(409, "too_many_test_runs", "Too many runs of this coach have not ended yet"),
  draftChanged: () => new ApiError(409, "draft_changed", "Somebody else has changed the draft since"),
  textChanged: () => new ApiError(409, "text_changed", "Somebody else has changed the text since"),
  versionChanged: () => new ApiError(409, "version_changed", "Somebody else has published since"),
  nothingToPublish: () => new ApiError(409, "nothing_to_publish", "This is already what is published"),
  versionNotFound: () => new ApiError(404, "version_not_found", "Version not found"),
  /** Of a picture that is sent again while the same one is being removed. */
  pictureBusy: () =>
    new ApiError(503, "unavailable", "The service is temporarily unavailable", {
      details: "The same picture is being removed",
      headers: soon,
    }),
  /** Of a reader who has a part of what an earlier run has written. */
  answerChanged: () => new ApiError(409, "answer_changed", "This answer was run again: read it from the beginning"),
  messageTooLong: (cause?: unknown) =>
    new ApiError(413, "message_too_long", "This message is too long for the language model", {
      remedy: "Send a shorter message.",
      cause,
    }),
  modelRefused: (cause?: unknown) =>
    new ApiError(422, "model_refused", "The language model declined to answer this. Please rephrase it.", {
      cause,
    }),
  /** `retryAfter` in seconds. */
  modelBusy: (retryAfter: number, cause?: unknown) =>
    new ApiError(503, "model_busy", "The language model is busy. Please try again later.", {
      headers: { "Retry-After": String(retryAfter) },
      cause,
    }),
  /** The log says which setting an operator has to look at. */
  modelMisconfigured: (cause?: unknown) =>
    new ApiError(502, "model_misconfigured", "The language model is not set up correctly", { cause }),
  modelUnavailable: (cause?: unknown) =>
    new ApiError(502, "model_unavailable", "The language model is unavailable", { cause }),
  /** Of an answer that is written by another request, or that another run has taken over. */
  answerFailed: () => new ApiError(502, "answer_failed", "The answer failed"),
  modelTimedOut: (cause?: unknown) =>
    new ApiError(504, "model_timed_out", "The language model did not answer in time", { cause }),
  /** `sentence` is the failure as the interface words it for the operation. */
  failed: (sentence: string, cause: unknown) =>
    new ApiError(500, "internal_error", sentence, { details: "A backend did not answer as expected", cause }),
};

/** With what an answer may fail, after its question was accepted. */
export function failuresOfAnswers(): ApiError[] {
  return [
    // Of an answer that has begun: how long to wait, nobody remembers.
    errors.budgetExhausted(),
    errors.priceUnknown(),
    errors.messageTooLong(),
    errors.modelRefused(),
    errors.modelBusy(usualRetryAfter),
    errors.modelMisconfigured(),
    errors.modelUnavailable(),
    errors.answerFailed(),
    errors.modelTimedOut(),
  ];
}

/** Seconds after which to try again where nothing else is known. */
export const usualRetryAfter = 10;

/** The error itself where clients may see it. Anything else becomes a 500 with `sentence`. */
export function toApiError(error: unknown, sentence: string): ApiError {
  return error instanceof ApiError ? error : errors.failed(sentence, error);
}
