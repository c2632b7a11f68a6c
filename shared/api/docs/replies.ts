import type { ZodOpenApiExampleObject, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from "zod-openapi";
import * as z from "zod/mini";
import { type ApiError, type ErrorCode, errors } from "../../infra/errors.ts";

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
const knownLimitHeaders: Headers = Object.fromEntries(
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

const error = z.string().check(z.describe("What went wrong, in a sentence"));

/** Body of a refusal. */
export const ErrorBody = z.object({
  error,
  message: z.optional(z.string()).check(z.describe("How to fix it")),
  answerId: z.optional(z.string()).check(
    z.describe("With the code `already_pinned`: the ID of the pinned answer that already has the question"),
  ),
  rows: z.optional(z.array(z.object({
    row: z.int().check(z.describe("The number that spreadsheets show")),
    field: z.nullable(z.string()).check(z.describe("The column at fault; null for the row as a whole")),
    reason: z.string(),
  }))).check(z.describe("With the code `invalid_sheet`: the rows that cannot be used, if it is the fault of rows")),
});

/** Body of the refusal of a request beyond the limits. */
export const RateLimitErrorBody = z.object({
  error,
  message: z.string().check(z.describe("How to fix it")),
  retryAfter: z.int().check(z.gte(1), z.describe("Seconds to wait")),
});

/** The same where a budget may also refuse the request. */
export const BudgetErrorBody = z.extend(RateLimitErrorBody, {
  retryAfter: z.optional(RateLimitErrorBody.shape.retryAfter).check(
    z.describe("Seconds to wait; left out where a budget is never renewed"),
  ),
});

/** Body of a failure of the service. */
export const ServerErrorBody = z.object({
  error,
  details: z.optional(z.string()).check(z.describe("For the operators of the calling application")),
});

const meanings: Record<number, string> = {
  400: "The request must be changed",
  401: "No valid API key, or no valid access token",
  403: "The key, the page or the user may not do this",
  404: "It does not exist for this key and user",
  408: "The request took too long to arrive",
  409: "The request conflicts with the current state",
  413: "The request is too large",
  422: "The Idempotency-Key was used with another request, or the language model declines to answer",
  429: "A rate limit was exceeded, or a budget is used up",
  500: "The service has failed",
  502: "The language model has failed",
  503: "A backend is unavailable, or the language model is busy",
  504: "The language model did not answer in time",
};

/** The errors that any request with an API key may get. */
export function commonErrors(failure: string): ApiError[] {
  return [
    errors.missingApiKey(),
    errors.invalidApiKey(),
    errors.misplacedPublishableKey(),
    errors.invalidAccessToken(),
    errors.rateLimitExceeded(12),
    errors.failed(failure, undefined),
    errors.unavailable(undefined),
  ];
}

/** The errors that requests of pages may get in addition. */
export function errorsOfPages(): ApiError[] {
  return [errors.misplacedSecretKey(), errors.originNotAllowed(), errors.signInFirst()];
}

/** The form of the errors of a function. */
export type ErrorForm = {
  tell: (error: ApiError) => ApiError;
  bodyOf: (status: number, errors: ApiError[]) => z.ZodMiniType;
  /** Further headers of errors. */
  headers?: Headers;
};

/** The form of the errors of most functions. */
export const usualForm: ErrorForm = { tell: (error) => error, bodyOf };

/** One reply for each status, with each of its errors as an example, and `failureHeaders` if something was stored. */
export function describeErrors(
  refusals: ApiError[],
  failureHeaders: Headers = {},
  form: ErrorForm = usualForm,
): ZodOpenApiResponsesObject {
  return describeEach(refusals, form, (status, group) => ({
    // Without a valid key, or from a page that may not use it, there are no limits to report.
    ...([401, 403, 429, 503].includes(status) ? knownLimitHeaders : limitHeaders),
    ...describeWait(status, group),
    ...(status >= 500 || [413, 422, 429].includes(status) ? failureHeaders : {}),
  }));
}

/** The errors of requests without a key, which have no limits to report. */
export function describeOpenErrors(...refusals: ApiError[]): ZodOpenApiResponsesObject {
  return describeEach(refusals, usualForm, describeWait);
}

function describeEach(
  refusals: ApiError[],
  { tell, bodyOf, headers: headersOfForm }: ErrorForm,
  headersOf: (status: number, group: ApiError[]) => Headers,
): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(refusals.map(tell), ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].toSorted(([a], [b]) => a - b).map(([status, group]) => {
      const headers = {
        ...refer("X-Request-Id"),
        ...headersOfForm,
        ...nameErrors(group.map(({ code }) => code)),
        ...headersOf(status, group),
      };
      const examples = showErrors(group);
      const reply = { description: meanings[status] ?? "An error", headers };
      return [
        status,
        shareEqual(replies, `Error${status}`, { ...reply, examples }, {
          ...reply,
          content: { "application/json": { schema: bodyOf(status, group), examples } },
        }),
      ];
    }),
  );
}

/** Parts by their names, and then by their features. */
type Shared<Part> = Map<string, Map<string, Part>>;

/** What the document has once, in its components, and refers to everywhere. */
const replies: Shared<ZodOpenApiResponseObject> = new Map();
const examples: Shared<ZodOpenApiExampleObject> = new Map();

/** Returns the first part with these features, with an ID: a name, and a number if other parts have it as well. */
function shareEqual<Part extends object>(shared: Shared<Part>, name: string, features: object, part: Part): Part {
  const named = shared.get(name) ?? new Map<string, Part>();
  shared.set(name, named);
  const key = JSON.stringify(features);
  const known = named.get(key) ?? { ...part, id: named.size === 0 ? name : `${name}_${named.size + 1}` };
  named.set(key, known);
  return known;
}

/** Examples, named after the codes of the errors, with a number if several have the same code. */
function showErrors(group: ApiError[]): Record<string, ZodOpenApiExampleObject> {
  const shown: Record<string, ZodOpenApiExampleObject> = {};
  for (const error of group) {
    const count = group.slice(0, group.indexOf(error)).filter(({ code }) => code === error.code).length;
    const example = { summary: error.message, value: error.toJSON() };
    shown[count === 0 ? error.code : `${error.code}_${count + 1}`] = shareEqual(examples, error.code, example, example);
  }
  return shown;
}

/** The header with the seconds to wait, which not every error may have. */
function describeWait(status: number, group: ApiError[]): Headers {
  if (status !== 429 && status !== 503) return {};
  if (group.every(hasWait)) return refer("Retry-After");
  const { "Retry-After": always } = headers;
  return { "Retry-After": { ...always, required: false } };
}

function hasWait({ options }: ApiError): boolean {
  return options.headers?.["Retry-After"] !== undefined;
}

function bodyOf(status: number, group: ApiError[]) {
  if (status === 429) return group.every(hasWait) ? RateLimitErrorBody : BudgetErrorBody;
  return status < 500 ? ErrorBody : ServerErrorBody;
}
