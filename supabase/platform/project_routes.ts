import { isThisMachine } from "./local_address.ts";

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
export function isRootMetadata(pathname: string): boolean {
  return /^\/\.well-known\/(?:oauth-authorization-server|openid-configuration)\/auth\/v1$/.test(pathname);
}

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
