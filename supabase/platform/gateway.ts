import { proxy } from "hono/proxy";
import { isThisMachine } from "./local_address.ts";

/** Answers a request as if it were sent to `path`, which includes the query. */
export type Target = (path: string, request: Request) => Promise<Response>;

/** The targets of the gateway, by the first segments of the path. */
type Routes = {
  functions: Record<string, Target>;
  /** Origin of REST, Auth and Storage. */
  backend: string;
  /** Answers at `/docs` and below; left out, nothing does. */
  docs?: (request: Request) => Promise<Response>;
  /** Answers at `/mails` and below; left out, nothing does. */
  mails?: (request: Request) => Promise<Response>;
  /** Answers at all other addresses that a browser is sent to; left out, nothing does. */
  pages?: (request: Request) => Promise<Response>;
};

const cors = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "authorization, x-client-info, apikey, content-type",
  "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE, OPTIONS",
};
/** A header that supabase-js sends to Auth. The interface does not list it, so only preflights that ask for it allow it. */
const authVersion = "x-supabase-api-version";

/** Serves the local stack at one address, like a hosted project. The path that a function sees begins with its name. */
export function createGateway(routes: Routes): (request: Request) => Promise<Response> {
  const functions = new Map(Object.entries(routes.functions));
  const backend = forwardTo(routes.backend);
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    if (routes.docs && /^\/docs(?:\/|$)/.test(pathname)) return await routes.docs(request);
    if (routes.mails && /^\/mails(?:\/|$)/.test(pathname)) return await routes.mails(request);
    const [, named, rest = ""] = /^\/(functions|auth|rest|storage)\/v1(\/.*)?$/.exec(pathname) ?? [];
    const area = isRootMetadata(pathname) ? "auth" : named;
    const target = area === "functions" ? functions.get(/^\/([^/]*)/.exec(rest)?.[1] ?? "") : area && backend;
    if (!target) {
      if (routes.pages && area === undefined) return await routes.pages(request);
      return Response.json({ error: "Not found" }, { status: 404, headers: { ...cors, "X-Error-Code": "not_found" } });
    }
    if (area === "auth" && request.method === "OPTIONS") return answerPreflight(request);
    try {
      const response = await target((area === "functions" ? rest : pathname) + search, request);
      if (area === "auth") { for (const [name, value] of Object.entries(cors)) response.headers.set(name, value); }
      return response;
    } catch {
      // The client has left, or the process that should answer is being restarted.
      return Response.json({ error: "The service is starting" }, {
        status: 503,
        headers: { ...cors, "Retry-After": "1" },
      });
    }
  };
}

function answerPreflight({ headers }: Request): Response {
  const reply = new Response(null, { status: 204, headers: cors });
  const isAsked = headers.get("Access-Control-Request-Headers")?.toLowerCase().includes(authVersion);
  if (isAsked) reply.headers.append("Access-Control-Allow-Headers", authVersion);
  return reply;
}

/** Forwards requests to an origin. Rejects if it does not respond. */
export function forwardTo(origin: string): Target {
  return (path, request) => proxy(origin + path, { raw: request, redirect: "manual" });
}

/**
 * Passes only those requests on to `@supabase/lite` that a hosted project serves, too, and that are sent to an address
 * of this machine. Lite also has a dashboard and `/_system`, which show its settings and the schema without requiring a
 * key.
 */
export function onlyProjectRoutes(
  fetch: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url);
    // Another site can make its own name resolve to this machine.
    if (!isThisMachine(url)) return refuse(403, "The backend is served at 127.0.0.1 and localhost only");
    if (!isProjectRoute(url)) return refuse(404, "Not found");
    return await fetch(request);
  };
}

function isProjectRoute({ pathname }: URL): boolean {
  return /^\/(?:auth|rest|storage)\/v1(?:\/|$)/.test(pathname) || isRootMetadata(pathname);
}

/** Returns true for the addresses at which clients look for the metadata of Auth, an issuer with a path (RFC 8414). */
function isRootMetadata(pathname: string): boolean {
  return /^\/\.well-known\/(?:oauth-authorization-server|openid-configuration)\/auth\/v1$/.test(pathname);
}

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
