import { proxy } from "hono/proxy";

/** Answers a request at a path of its own, query included. */
export type Target = (path: string, request: Request) => Promise<Response>;

/** Where the gateway sends requests, by the first segments of their path. */
export type Routes = {
  /** What answers for each function. */
  functions: Record<string, Target>;
  /** Origin of REST, Auth and Storage. */
  backend: string;
  /** What answers at `/docs` and below, if anything. */
  docs?: (request: Request) => Promise<Response>;
};

const cors = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "authorization, x-client-info, apikey, content-type",
};

/**
 * The one address of the local stack, as `https://<project>.supabase.co` is that of a hosted one. Functions see their
 * path from their name on.
 */
export function createGateway(routes: Routes): (request: Request) => Promise<Response> {
  const functions = new Map(Object.entries(routes.functions));
  const backend = forwardTo(routes.backend);
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    if (routes.docs && /^\/docs(?:\/|$)/.test(pathname)) return await routes.docs(request);
    const [, area, rest = ""] = /^\/(functions|auth|rest|storage)\/v1(\/.*)?$/.exec(pathname) ?? [];
    const target = area === "functions" ? functions.get(/^\/([^/]*)/.exec(rest)?.[1] ?? "") : area && backend;
    if (!target) return Response.json({ error: "Not found" }, { status: 404, headers: cors });
    if (area === "auth" && request.method === "OPTIONS") return new Response(null, { status: 204, headers: cors });
    try {
      const response = await target((area === "functions" ? rest : pathname) + search, request);
      if (area === "auth") { for (const [name, value] of Object.entries(cors)) response.headers.set(name, value); }
      return response;
    } catch {
      // The client has left, or the process behind is being restarted.
      return Response.json({ error: "The service is starting" }, {
        status: 503,
        headers: { ...cors, "Retry-After": "1" },
      });
    }
  };
}

/** Hands requests on to an origin. Rejects where it does not answer. */
export function forwardTo(origin: string): Target {
  return (path, request) => proxy(origin + path, { raw: request, redirect: "manual" });
}
