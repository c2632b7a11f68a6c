import type { ZodOpenApiResponsesObject } from "zod-openapi";
import * as z from "zod/mini";
import type { ApiError } from "../errors.ts";
import { type Headers, knownLimitHeaders, limitHeaders, refer } from "./headers.ts";

const error = z.string().check(z.describe("What went wrong, in a sentence"));

/** Body of a refusal. */
export const ErrorBody = z.object({
  error,
  message: z.optional(z.string()).check(z.describe("What to do about it")),
});

/** Body of the refusal of a request beyond the limits. */
export const RateLimitErrorBody = z.object({
  error,
  message: z.string().check(z.describe("What to do about it")),
  retryAfter: z.int().check(z.gte(1), z.describe("Seconds to wait")),
});

/** Body of a failure of the service. */
export const ServerErrorBody = z.object({
  error,
  details: z.optional(z.string()).check(z.describe("For whoever operates the calling application")),
});

const meanings: Record<number, string> = {
  400: "The request must be changed",
  401: "No valid API key, or no valid access token",
  403: "The key or the user may not do this",
  404: "There is no such thing for this key and user",
  408: "The request took too long to arrive",
  413: "The request is too large",
  422: "The Idempotency-Key was used with another request",
  429: "A rate limit is exceeded",
  500: "The service has failed",
  502: "The language model has failed",
  503: "A backend is unavailable",
  504: "The language model did not answer in time",
};

/**
 * One reply for each status, with every error that has it as an example.
 *
 * @param errors by their names
 * @param failureHeaders what replies from 500 on may carry besides
 */
export function describeErrors(
  errors: Record<string, ApiError>,
  failureHeaders: Headers = {},
): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(Object.entries(errors), ([, { status }]) => status);
  return Object.fromEntries(
    [...byStatus].toSorted(([a], [b]) => a - b).map(([status, group]) => [status, {
      description: meanings[status] ?? "An error",
      headers: {
        ...refer("X-Request-Id"),
        // Where the key was not found valid there is no window to speak of.
        ...([401, 429, 503].includes(status) ? knownLimitHeaders : limitHeaders),
        ...(status === 429 ? refer("Retry-After") : {}),
        ...(status >= 500 ? failureHeaders : {}),
      },
      content: {
        "application/json": {
          schema: bodyOf(status),
          examples: Object.fromEntries(
            group.map(([name, error]) => [name, { summary: error.message, value: error.toJSON() }]),
          ),
        },
      },
    }]),
  );
}

function bodyOf(status: number) {
  if (status === 429) return RateLimitErrorBody;
  return status < 500 ? ErrorBody : ServerErrorBody;
}
