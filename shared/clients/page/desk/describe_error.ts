import { ServiceError } from "../../client/service_error.ts";
import { formatTime } from "./format.ts";
import { fill, t } from "./texts.ts";

/** Describes an error in a sentence for the expert. An error that the desk does not know has the words of the service. */
export function describeError(error: unknown): string {
  if (error instanceof ServiceError) return describeRefusal(error);
  if (!navigator.onLine) return t.parts.offline;
  if (error instanceof TypeError) return t.parts.unreachable;
  return error instanceof Error ? error.message : String(error);
}

function describeRefusal({ code, status, body, message }: ServiceError): string {
  if (code === "budget_exhausted" && body.retryAfter !== undefined) {
    const end = new Date(Date.now() + 1_000 * body.retryAfter);
    return fill(t.parts.budgetUntil, { time: formatTime(end.toISOString()) });
  }
  const sentences: Record<string, string> = { ...t.shared.errors, ...t.errors };
  const sentence = sentences[code ?? ""];
  if (sentence !== undefined) return fill(sentence, { sentence: message });
  if (status === 429) return t.parts.tooManyRequests;
  return status >= 500 ? t.parts.trouble : message;
}
