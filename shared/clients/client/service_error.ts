import type { components } from "./api_types.ts";

/** The body of a refusal or failure. */
export type ErrorBody = components["schemas"]["Error"] & {
  details?: string;
  retryAfter?: number;
  /** The code of an error of Supabase Auth. */
  error_code?: string;
};

/** The fields of a {@link ServiceError}. */
export type ServiceErrorFields = {
  /** The HTTP status. If the reply was already streaming, the one it would have had. */
  status: number;
  /** Names the error, so that programs need not compare sentences. Null for errors of Supabase Auth and of proxies. */
  code: string | null;
  body: ErrorBody;
  /** Leads to the service's log lines. */
  requestId: string | null;
  /** The failed answer, to be retried. Null if there is none. */
  messageId?: string | null;
};

/** A refusal or failure of the service. */
export class ServiceError extends Error implements ServiceErrorFields {
  override name = "ServiceError";
  readonly status: number;
  readonly code: string | null;
  readonly body: ErrorBody;
  readonly requestId: string | null;
  readonly messageId: string | null;

  constructor({ status, code, body, requestId, messageId = null }: ServiceErrorFields) {
    super(body.error);
    this.status = status;
    this.code = code;
    this.body = body;
    this.requestId = requestId;
    this.messageId = messageId;
  }
}

/** The error of a reply: in the form of the service, of Supabase, or of a proxy. */
export function readServiceError({ status, headers }: Response, body?: unknown): ServiceError {
  const fields: Record<string, unknown> = typeof body === "object" ? { ...body } : {};
  const sentence = [fields.error_description, fields.msg, fields.error, fields.message].find((text) =>
    typeof text === "string"
  );
  const error = sentence ??
    `The service answered with status ${status} and ${headers.get("Content-Type") ?? "no body"}`;
  return new ServiceError({
    status,
    code: headers.get("X-Error-Code"),
    body: { ...fields, error },
    requestId: headers.get("X-Request-Id"),
    messageId: headers.get("X-Message-Id"),
  });
}
