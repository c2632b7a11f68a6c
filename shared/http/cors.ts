import type { Context, MiddlewareHandler } from "hono";

/** The headers that a page of another origin may read. */
export const exposedHeaders = [
  "X-Thread-Id",
  "X-Message-Id",
  "X-Request-Id",
  "X-Error-Code",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Retry-After",
].join(", ");

const usualHeaders = "authorization, x-client-info, apikey, content-type";
/** Headers of W3C Trace Context and Baggage, which Supabase's client library sends where tracing is switched on. */
const traceHeaders = ["traceparent", "tracestate", "baggage"];

/** Adds the headers of traces to those that a preflight allows. */
export function allowTraces(allowed: string): string {
  const names = splitNames(allowed);
  return [allowed, ...traceHeaders.filter((name) => !names.includes(name))].join(", ");
}

function splitNames(header: string): string[] {
  return header.toLowerCase().split(",").map((name) => name.trim());
}

/**
 * Lets every origin read every reply, refusals included. Hono's own `cors()` names the allowed headers in preflights
 * only; the interface has them on every reply. `X-API-Key` is not among them on purpose: secret keys do not belong in browsers.
 * Preflights of clients that send a publishable key also allow the headers of traces; the interface's line stands for
 * all others.
 */
export const cors: MiddlewareHandler = async function cors(c, next) {
  setCors(c, { allowed: isOfSupabaseClient(c) ? allowTraces(usualHeaders) : usualHeaders, exposed: exposedHeaders });
  await next();
};

/** Sets the CORS headers of a reply: those that a request may have, and those of the reply that a page may read. */
export function setCors(c: Context, { allowed, exposed }: { allowed: string; exposed: string }): void {
  c.header("Access-Control-Allow-Origin", "*");
  c.header("Access-Control-Allow-Headers", allowed);
  c.header("Access-Control-Allow-Methods", "OPTIONS");
  c.header("Access-Control-Expose-Headers", exposed);
  // Without it browsers ask again after five seconds.
  if (c.req.method === "OPTIONS") c.header("Access-Control-Max-Age", "7200");
}

/** Returns whether a request is the preflight of one with the header `apikey`. */
function isOfSupabaseClient({ req }: Context): boolean {
  const asked = req.header("Access-Control-Request-Headers");
  return req.method === "OPTIONS" && asked !== undefined && splitNames(asked).includes("apikey");
}

/** Names the methods of a path. */
export function allowMethods(methods: string): MiddlewareHandler {
  return async function allowMethods(c, next) {
    c.header("Access-Control-Allow-Methods", methods);
    await next();
  };
}
