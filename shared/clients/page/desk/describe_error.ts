import { ServiceError } from "../../client/service_error.ts";

/** What went wrong, as a sentence for whoever sits at the desk. */
export function describeError(error: unknown): string {
  if (error instanceof ServiceError) {
    if (error.status === 429) return "That was a lot at once. Please wait a moment and try again.";
    if (error.status >= 500) return "The service has trouble at the moment. Please try again.";
    return error.message;
  }
  if (!navigator.onLine) return "You are offline. This goes on when the connection is back.";
  if (error instanceof TypeError) return "The service cannot be reached. Please check the connection and try again.";
  return error instanceof Error ? error.message : String(error);
}
