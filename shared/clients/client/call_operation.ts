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
 * that is an argument before the options. The parameters of the path come first; `coachId?` is one that is sent in the
 * query.
 */
export function createMethods<Methods>(api: Api, requests: Record<string, string>): Methods {
  const methods = Object.entries(requests).map(([name, request]) =>
    [name, (...values: unknown[]) => callOperation(api, request, values)] as const
  );
  return Object.fromEntries(methods) as Methods;
}

function callOperation(api: Api, request: string, values: unknown[]): Promise<unknown> {
  const [method, address, place] = request.split(" ");
  const [path, inQuery] = address!.split("?").reverse();
  const names = address!.match(/\w+(?=[?}])/g) ?? [];
  const given = Object.fromEntries(names.map((name) => [name, values.shift()]));
  const sent = (place && values.shift()) as Record<string, unknown> | undefined;
  const { signal, idempotencyKey } = (values[0] ?? {}) as RepeatableCallOptions;
  const send = api.request as unknown as (method: string, path: string, init: unknown) => Call<unknown>;
  return unwrap(send(method!, `/functions/v1/${path}`, {
    params: { path: given, query: { ...place === "query" && sent, ...inQuery && { coachId: given.coachId } } },
    body: place === "body" ? { ...sent, idempotency_key: idempotencyKey ?? sent?.idempotency_key } : undefined,
    signal,
  }));
}

export async function unwrap<Data>(call: Call<Data>): Promise<NonNullable<Data>> {
  const { data, error, response } = await call;
  if (data === undefined || data === null) throw readServiceError(response, error);
  return data;
}
