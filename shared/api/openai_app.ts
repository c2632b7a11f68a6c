import type { MiddlewareHandler } from "hono";
import { errors } from "../infra/errors.ts";
import { isPublishable, readBearer, type ReadKey } from "../core/auth/shown_key.ts";
import type { Services } from "../core/context.ts";
import type { AppEnv } from "../http/app_env.ts";
import { authenticate } from "../http/authenticate.ts";
import { allowTraces, exposedHeaders, setCors } from "../http/cors.ts";
import { createOperationsApp } from "../http/operations_app.ts";
import { addresses } from "./endpoints/openai.gen.ts";
import { OpenaiError } from "./openai/openai_error.ts";

/**
 * The function `openai`: coaches as models, for clients of OpenAI's API. Its turns are those of the function `chat`; only
 * the key's header, the CORS headers and the errors differ.
 */
export function createOpenaiApp(services: Services) {
  const both = addresses.flatMap((address) => [address, { ...address, path: `${address.path}/` }]);
  return createOperationsApp("openai", services, both, {
    admit: watched(authenticate(services, readOpenaiKey)),
    cors: clientCors,
    describe: (error) => new OpenaiError(error),
  });
}

/** Has Deno notice that a client leaves before its question is accepted: it only does for a signal that was asked for. */
function watched(admit: MiddlewareHandler<AppEnv>): MiddlewareHandler<AppEnv> {
  return function admitWatched(c, next) {
    void c.req.raw.signal;
    return admit(c, next);
  };
}

/**
 * The key of a client of OpenAI's API: in `X-API-Key`, where `Authorization` may then hold a user's token, or else in
 * `Authorization` itself. @throws 401 for a publishable key.
 */
const readOpenaiKey: ReadKey = (header) => {
  const apiKey = header("X-API-Key") || readBearer(header("Authorization"));
  if (apiKey !== undefined && isPublishable(apiKey)) throw errors.publishableKeyRefused();
  return { apiKey, page: null };
};

const exposed = `${exposedHeaders}, x-should-retry`;

/**
 * CORS headers for clients of OpenAI's API. They send headers of their own, such as `X-Stainless-Lang`: all that a browser
 * asks for are allowed, and those of traces. Cookies never are. In a page, they also read whether another try can help.
 */
const clientCors: MiddlewareHandler = async function clientCors(c, next) {
  const asked = c.req.header("Access-Control-Request-Headers");
  const allowed = asked ?? "authorization, content-type";
  setCors(c, { allowed: c.req.method === "OPTIONS" ? allowTraces(allowed) : allowed, exposed });
  if (asked !== undefined) c.header("Vary", "Access-Control-Request-Headers");
  await next();
};
