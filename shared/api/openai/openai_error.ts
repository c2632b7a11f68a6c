import { ApiError, type ErrorCode } from "../../infra/errors.ts";

/** The form of an error in OpenAI's API, where that differs from ours. */
type Telling = {
  status?: number;
  type?: string;
  code?: string;
  param?: string;
  message?: string;
  /** False: another try cannot help, though its status says otherwise. */
  isRetryable?: false;
};

const noModel: Telling = {
  code: "model_not_found",
  param: "model",
  message: "The model does not exist, or this key may not use it",
};

/** See https://platform.openai.com/docs/guides/error-codes */
const tellings: Partial<Record<ErrorCode, Telling>> = {
  missing_api_key: { code: "invalid_api_key" },
  misplaced_api_key: { code: "invalid_api_key" },
  coach_not_found: noModel,
  coach_paused: noModel,
  coach_mismatch: { param: "model", message: "This conversation is with another model" },
  user_mismatch: { param: "user", message: "user does not match the access token" },
  rate_limit_exceeded: { type: "requests" },
  budget_exhausted: { type: "insufficient_quota", code: "insufficient_quota", isRetryable: false },
  price_unknown: { isRetryable: false },
  message_too_long: {
    status: 400,
    code: "context_length_exceeded",
    // That of completions; those that know better say so.
    param: "messages",
    // Some clients only look into the sentence.
    message: "This message is too long for the language model (context_length_exceeded)",
  },
  model_refused: { status: 400, code: "content_filter" },
  model_misconfigured: { isRetryable: false },
};

/** The statuses of the client's own errors of which the same request may be free later. */
const passing = [408, 429];

/** The official clients wait for at most a minute. After longer waits, they would try too early. */
const longestWait = 60;

/** An error in the form of OpenAI's API, `{ error: { message, type, param, code } }`. */
export class OpenaiError extends ApiError {
  readonly #telling: Telling;

  constructor(error: ApiError) {
    const telling = tellings[error.code] ?? {};
    const wait = Number(error.options.headers?.["Retry-After"] ?? 0);
    const { status = error.status } = telling;
    const isPassing = status >= 500 || passing.includes(status);
    const isRetryable = isPassing && telling.isRetryable !== false && wait <= longestWait;
    super(status, error.code, telling.message ?? error.message, {
      ...error.options,
      headers: { ...error.options.headers, ...(isRetryable ? {} : { "x-should-retry": "false" }) },
    });
    this.#telling = telling;
  }

  override toJSON() {
    const { type, code = this.code, param } = this.#telling;
    return {
      error: {
        message: this.message,
        type: type ?? (this.status < 500 ? "invalid_request_error" : "server_error"),
        param: this.options.param ?? param ?? null,
        code,
      },
    };
  }
}
