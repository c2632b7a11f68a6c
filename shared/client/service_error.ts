import type { components } from "./api_types.ts";

/** A refusal or failure that the service has told. */
export class ServiceError extends Error {
  override name = "ServiceError";

  /**
   * @param status HTTP status, or what it would have been where the reply had begun to stream
   * @param body what the service says of it
   * @param requestId leads to the service's log lines
   */
  constructor(
    readonly status: number,
    readonly body: components["schemas"]["Error"],
    readonly requestId: string | null,
  ) {
    super(body.error);
  }
}

/** The error of a reply that is none of the expected ones. */
export function readServiceError({ status, headers }: Response, body: unknown): ServiceError {
  const isTold = typeof body === "object" && body !== null && "error" in body && typeof body.error === "string";
  const told = isTold
    ? body as components["schemas"]["Error"]
    : { error: `The service answered with status ${status}` };
  return new ServiceError(status, told, headers.get("X-Request-Id"));
}
