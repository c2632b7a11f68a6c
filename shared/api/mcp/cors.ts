import type { MiddlewareHandler } from "hono";
import { cors as usualCors } from "../../http/cors.ts";
import { readKeyInPath } from "./addresses.ts";

/** The headers of a page that is an AI client: those of the interface, and those of the protocol. */
const allowedToApps = [
  "authorization, x-client-info, apikey, content-type",
  "mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id",
].join(", ");

/**
 * The interface's CORS headers at its own address, `/mcp`. Where the key is part of the address, pages may send the
 * protocol's headers and read where to sign in.
 */
export const mcpCors: MiddlewareHandler = async function mcpCors(c, next) {
  await usualCors(c, async () => {
    if (readKeyInPath(c.req.path) !== undefined) {
      c.header("Access-Control-Allow-Headers", allowedToApps);
      const exposed = c.res.headers.get("Access-Control-Expose-Headers");
      c.header("Access-Control-Expose-Headers", `${exposed}, WWW-Authenticate`);
    }
    await next();
  });
};
