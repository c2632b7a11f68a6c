import type createFetchClient from "openapi-fetch";
import type { paths } from "./api_types.ts";
import { readServiceError } from "./service_error.ts";

/** Options of every call. */
export type CallOptions = { signal?: AbortSignal };

/** Options of calls that can be repeated safely. */
export type RepeatableCallOptions = CallOptions & { idempotencyKey?: string };

export type Api = ReturnType<typeof createFetchClient<paths>>;
export type Call<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>;

/**
 * The methods that send `requests` and return their replies. A request is its method and path, then `query` or `body` if
 * that is an argument before the options; `body.token` if it is one field of it. The parameters of the path come first;
 * `coachId?` is one that is sent in the query.
 */
export function createMethods<Methods>(api: Api, requests: Record<string, string>): Methods {
  const methods = Object.entries(requests).map(([name, request]) =>
    [name, (...values: unknown[]) => unwrap(sendOperation(api, request, values))] as const
  );
  return Object.fromEntries(methods) as Methods;
}

/** Sends a request and returns the reply with its body unread. `accept` is what the service should reply with. */
export async function openOperation(api: Api, request: string, values: unknown[], accept?: string): Promise<Response> {
  const more = { headers: { Accept: accept }, parseAs: "stream" };
  const { error, response } = await sendOperation(api, request, values, more);
  if (!response.ok) throw readServiceError(response, error);
  return response;
}

function sendOperation(api: Api, request: string, values: unknown[], more?: object): Call<unknown> {
  const [method, address, place = ""] = request.split(" ");
  const [where, field] = place.split(".");
  const [path, inQuery] = address!.split("?").reverse();
  const names = address!.match(/\w+(?=[?}])/g) ?? [];
  const given = Object.fromEntries(names.map((name) => [name, values.shift()]));
  const value = where && values.shift();
  const sent = (field ? { [field]: value } : value) as Record<string, unknown> | undefined;
  const { signal, idempotencyKey } = (values[0] ?? {}) as RepeatableCallOptions;
  const send = api.request as unknown as (method: string, path: string, init: unknown) => Call<unknown>;
  return send(method!, `/functions/v1/${path}`, {
    params: { path: given, query: { ...where === "query" && sent, ...inQuery && { coachId: given.coachId } } },
    body: where === "body" ? { ...sent, idempotency_key: idempotencyKey ?? sent?.idempotency_key } : undefined,
    signal,
    ...more,
  });
}

export async function unwrap<Data>(call: Call<Data>): Promise<NonNullable<Data>> {
  const { data, error, response } = await call;
  if (data === undefined || data === null) throw readServiceError(response, error);
  return data;
}
