import type { MiddlewareHandler } from "hono";
import { requestId as honoRequestId } from "hono/request-id";
import { describeError, holdsKey } from "../libs/base/log.ts";
import { routePath } from "hono/route";
import type { CoreServices } from "../core/core_services.ts";
import type { AppEnv } from "./app_env.ts";

/**
 * Gives every request an id: the caller's `X-Request-Id` where it is acceptable, otherwise a new one. Hono's middleware
 * checks characters and length. An id that holds a key is not acceptable either, since ids are logged and stored.
 */
export function requestId(): MiddlewareHandler {
  const takeSaneOne = honoRequestId();
  const makeNewOne = honoRequestId({ limitLength: 0 });
  return function requestId(c, next) {
    return holdsKey(c.req.header("X-Request-Id") ?? "") ? makeNewOne(c, next) : takeSaneOne(c, next);
  };
}

/**
 * Sets `log`, bound to the function and the request, and writes one line with it when the reply leaves: with the code
 * and the reason where it failed. The route is logged as its pattern, since paths hold user ids. A method is logged only
 * where it looks like those of HTTP, since a client can send any word for one.
 */
export function accessLog(
  functionName: string,
  { createLog }: Pick<CoreServices, "createLog">,
): MiddlewareHandler<AppEnv> {
  return async function accessLog(c, next) {
    const began = performance.now();
    const log = createLog({ function: functionName, request_id: c.get("requestId"), trace_id: c.get("traceId") });
    c.set("log", log);
    await next();
    const { status } = c.res;
    log(status < 500 ? "info" : "error", "request", {
      method: readMethod(c.req.method) ?? "other",
      route: routePath(c, -1),
      status,
      code: c.res.headers.get("X-Error-Code") ?? undefined,
      ms: Math.round(performance.now() - began),
      key_id: c.get("incoming")?.admission.keyId ?? undefined,
      reason: c.error && describeError(c.error),
    });
  };
}

/** A method that looks like those of HTTP; null for any other word. */
export function readMethod(method: string): string | null {
  return /^[A-Z]{3,7}$/.test(method) ? method : null;
}
