import type { components } from "./api_types.ts";

/** What the service says of a refusal or failure. */
export type ErrorBody = components["schemas"]["Error"] & { details?: string; retryAfter?: number };

/** A refusal or failure that the service has told. */
export class ServiceError extends Error {
  override name = "ServiceError";
  /** HTTP status, or what it would have been where the reply had begun to stream. */
  readonly status: number;
  readonly body: ErrorBody;
  /** Leads to the service's log lines. */
  readonly requestId: string | null;

  constructor(status: number, body: ErrorBody, requestId: string | null) {
    super(body.error);
    this.status = status;
    this.body = body;
    this.requestId = requestId;
  }
}

/** The error of a reply that is none of the expected ones: the service's own, Supabase's, or of a proxy. */
export function readServiceError({ status, headers }: Response, body?: unknown): ServiceError {
  const told: Record<string, unknown> = typeof body === "object" ? { ...body } : {};
  const sentence = [told.error_description, told.msg, told.error, told.message].find((text) =>
    typeof text === "string"
  );
  const error = sentence ??
    `The service answered with status ${status} and ${headers.get("Content-Type") ?? "no body"}`;
  return new ServiceError(status, { ...told, error }, headers.get("X-Request-Id"));
}
