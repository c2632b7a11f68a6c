import { ApiError, errors, usualRetryAfter } from "../../../base/errors.ts";
import { ModelError } from "../../../infra/llm/model_error.ts";

/** The longest wait in seconds that clients are asked for: as long as they would have waited for a first word. */
const maxRetryAfter = 60;

/** Returns the error that the client sees when a model fails. */
export function readFailure(error: unknown, isTimeout: boolean): ApiError {
  if (isTimeout) return errors.modelTimedOut(error);
  if (error instanceof ModelError) return toApiError(error);
  return error instanceof ApiError ? error : errors.modelUnavailable(error);
}

/** Maps the model's error to one that tells the client what to do. */
function toApiError(error: ModelError): ApiError {
  switch (error.kind) {
    case "refused":
      return errors.modelRefused(error);
    case "too_long":
      return errors.messageTooLong(error);
    case "busy": {
      const retryAfter = Math.ceil(error.failure.retryAfter ?? usualRetryAfter);
      return errors.modelBusy(Math.min(Math.max(retryAfter, 1), maxRetryAfter), error);
    }
    case "misconfigured":
      return errors.modelMisconfigured(error);
    case "unavailable":
      return errors.modelUnavailable(error);
  }
}
