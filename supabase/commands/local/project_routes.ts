import { isThisMachine } from "./local_address.ts";

/**
 * Lets through to `@supabase/lite` only what a hosted project serves too, asked for at an address of this machine. Lite
 * also has a dashboard and `/_system`, which tells its settings and the schema, and asks nobody for a key.
 */
export function onlyProjectRoutes(
  fetch: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url);
    // A foreign site can make its own name lead to this machine.
    if (!isThisMachine(url)) return refuse(403, "The backend is served at 127.0.0.1 and localhost only");
    if (!/^\/(?:auth|rest|storage)\/v1(?:\/|$)/.test(url.pathname)) return refuse(404, "Not found");
    return await fetch(request);
  };
}

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
