import { ServiceError } from "../../client/service_error.ts";
import { formatTime } from "./format.ts";

/** Describes an error in a sentence for the expert. */
export function describeError(error: unknown): string {
  if (error instanceof ServiceError) {
    if (error.code === "budget_exhausted") return describeBudget(error.body.retryAfter);
    if (error.status === 429) return "That was a lot at once. Please wait a moment and try again.";
    if (error.status >= 500) return "The service has a problem. Please try again later.";
    return error.message;
  }
  if (!navigator.onLine) return "You are offline. Please try again once you are connected.";
  if (error instanceof TypeError) return "The service cannot be reached. Please check your connection and try again.";
  return error instanceof Error ? error.message : String(error);
}

function describeBudget(seconds: number | undefined): string {
  if (seconds === undefined) return "The budget of this persona is used up. Its operator can raise it.";
  const time = formatTime(new Date(Date.now() + 1_000 * seconds).toISOString());
  return `The budget of this persona is used up until ${time}.`;
}
