import type { MiddlewareHandler } from "hono";
import { cors } from "../../http/cors.ts";

/**
 * CORS headers for clients of OpenAI's API. They send headers of their own, such as `X-Stainless-Lang`: all that a browser
 * asks for are allowed. Cookies never are.
 */
export const clientCors: MiddlewareHandler = async function clientCors(c, next) {
  await cors(c, async () => {
    const asked = c.req.header("Access-Control-Request-Headers");
    c.header("Access-Control-Allow-Headers", asked ?? "authorization, content-type");
    if (asked !== undefined) c.header("Vary", "Access-Control-Request-Headers");
    await next();
  });
};
