import { serve } from "../support/serve.ts";

/** A server between the functions and their backend. */
export type BackendProxy = AsyncDisposable & {
  url: string;
  /** Requests since this was last set to 0. */
  count: number;
  /** Addresses of the functions that other functions call, by name. */
  functions: Record<string, string>;
};

/**
 * Counts the requests to the paths of `counted`; calls from function to function are passed on to `functions` and not
 * counted. With `isReplaying`, the first reply to each path is repeated for all later requests: such a backend is as
 * quick as the model, and does not slow the function down by using the same machine.
 */
export function startBackendProxy(target: string, { isReplaying = false, counted = /^/ } = {}): BackendProxy {
  const kept = new Map<string, () => Response>();
  const server = serve(async (request) => {
    const { pathname, search } = new URL(request.url);
    const body = request.body && await request.bytes();
    const { method } = request;
    const headers = {
      "apikey": request.headers.get("apikey") ?? "",
      "Content-Type": request.headers.get("Content-Type") ?? "application/json",
    };
    const [, name, rest] = /^\/functions\/v1\/([^/]+)(.*)$/.exec(pathname) ?? [];
    if (name !== undefined) {
      const { status } = await forward(`${proxy.functions[name]}/${name}${rest}`, { method, headers, body });
      return new Response(null, { status });
    }
    if (counted.test(pathname)) proxy.count++;
    const replay = kept.get(pathname);
    if (replay !== undefined) return replay();
    const { status, ...reply } = await forward(target + pathname + search, { method, headers, body });
    if (isReplaying) kept.set(pathname, () => new Response(reply.body, { status, headers: reply.headers }));
    return new Response(reply.body, { status, headers: reply.headers });
  });
  const proxy: BackendProxy = {
    url: server.url,
    count: 0,
    functions: {},
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
  return proxy;
}

async function forward(url: string, init: RequestInit) {
  const response = await fetch(url, init);
  const { status } = response;
  const body = status === 204 ? null : await response.bytes();
  return { status, body, headers: { "Content-Type": response.headers.get("Content-Type") ?? "" } };
}
