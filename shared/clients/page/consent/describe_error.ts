import { ServiceError } from "../../client/service_error.ts";
import { SessionEnded } from "./accounts.ts";

/** Failures that the page has something to say to. */
export type Failure = "gone" | "signedOut" | "originRefused" | "notOffered" | "tooMany" | "unreachable" | "trouble";

/** Tells what an error of Supabase Auth means to somebody on the page. */
export function judgeFailure(error: unknown): Failure {
  if (error instanceof SessionEnded) return "signedOut";
  if (error instanceof TypeError) return "unreachable";
  if (!(error instanceof ServiceError)) return "trouble";
  const { status, body, message } = error;
  if (body.error_code === "oauth_authorization_not_found") return "gone";
  // Auth has one code for both.
  if (body.error_code === "validation_failed") return /origin/.test(message) ? "originRefused" : "gone";
  if (status === 401 || status === 403 || body.error_code === "refresh_token_not_found") return "signedOut";
  if (status === 404) return "notOffered";
  return status === 429 ? "tooMany" : "trouble";
}
