import type { ZodOpenApiResponseObject } from "zod-openapi";
import type { ErrorCode } from "../../infra/errors.ts";

/** Headers of a reply, described. */
export type Headers = Exclude<NonNullable<ZodOpenApiResponseObject["headers"]>, { _zod: unknown }>;

const integer = { type: "integer" as const };
const uuid = { type: "string" as const, format: "uuid" };

/** Headers of replies. A reply that refers to one of them always carries it. */
export const headers: Headers = {
  "X-Request-Id": {
    schema: { type: "string" },
    required: true,
    description: "Identifies the log lines of the request. It is the caller's own ID if that was valid",
  },
  "X-Thread-Id": {
    schema: uuid,
    required: true,
    description: "The thread, to pass as `thread_id` in later messages",
  },
  "X-Message-Id": {
    schema: uuid,
    required: true,
    description: "The answer, to follow it from another connection or to stop it",
  },
  "X-RateLimit-Limit": {
    schema: integer,
    required: true,
    description: "The limit of the window with the fewest requests left: a minute, an hour or a day",
  },
  "X-RateLimit-Remaining": { schema: integer, required: true, description: "The requests left in that window" },
  "X-RateLimit-Reset": {
    schema: integer,
    required: true,
    description: "When that window resets, in epoch seconds",
  },
  "Retry-After": { schema: { ...integer, minimum: 1 }, required: true, description: "Seconds to wait" },
};

const limitNames = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

export const limitHeaders = refer(...limitNames);

/** The limits in a reply that may have left before the key was found valid. */
export const knownLimitHeaders: Headers = Object.fromEntries(
  limitNames.map((name) => [name, { schema: integer, description: "Present once the key is known to be valid" }]),
);

/** The headers of a failure after the turn has begun: the message is stored. */
export const storedHeaders: Headers = {
  "X-Thread-Id": { schema: uuid, description: "The thread. The message is stored in it despite the failure" },
  "X-Message-Id": { schema: uuid, description: "The answer that failed" },
};

/** The header with the code of an error: one of these. */
export function nameErrors(codes: ErrorCode[]): Headers {
  return {
    "X-Error-Code": {
      schema: { type: "string", enum: [...new Set(codes)] },
      required: true,
      description: "The code of the error, for programs. The sentence in the body may change",
    },
  };
}

/** Headers of a reply, by name. */
export function refer(...names: string[]): Headers {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
