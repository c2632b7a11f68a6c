import type { MiddlewareHandler } from "hono";

const exposed = [
  "X-Thread-Id",
  "X-Message-Id",
  "X-Request-Id",
  "X-Error-Code",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Retry-After",
].join(", ");

/**
 * Lets every origin read every reply, refusals included. Hono's own `cors()` names the allowed headers in preflights
 * only; the interface has them on every reply. `X-API-Key` is not among them on purpose: secret keys do not belong in browsers.
 */
export const cors: MiddlewareHandler = async function cors(c, next) {
  c.header("Access-Control-Allow-Origin", "*");
  c.header("Access-Control-Allow-Headers", "authorization, x-client-info, apikey, content-type");
  c.header("Access-Control-Allow-Methods", "OPTIONS");
  c.header("Access-Control-Expose-Headers", exposed);
  // Without it browsers ask again after five seconds.
  if (c.req.method === "OPTIONS") c.header("Access-Control-Max-Age", "7200");
  await next();
};

/** Names the methods of a path. */
export function allowMethods(methods: string): MiddlewareHandler {
  return async function allowMethods(c, next) {
    c.header("Access-Control-Allow-Methods", methods);
    await next();
  };
}
