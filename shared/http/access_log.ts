import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { describeError } from "../log.ts";
import type { Services } from "../services.ts";
import type { AppEnv } from "./app_env.ts";

/** One log line a request, with the reason where it failed. The route is logged as its pattern: paths hold user ids. */
export function accessLog(functionName: string, { createLog }: Services): MiddlewareHandler<AppEnv> {
  return async function accessLog(c, next) {
    const began = performance.now();
    await next();
    const { status } = c.res;
    createLog({ function: functionName, request_id: c.var.requestId })(status < 500 ? "info" : "error", "request", {
      method: c.req.method,
      route: routePath(c, -1),
      status,
      ms: Math.round(performance.now() - began),
      key_id: c.var.ctx?.caller.keyId,
      reason: c.error && describeError(c.error),
    });
  };
}
