import type { Context as HonoContext } from "hono";
import { type ApiError, errors } from "../../infra/errors.ts";
import { readSecretKey } from "../../core/auth/shown_key.ts";
import { createApp, loadHandler } from "../../http/app.ts";
import type { AppEnv } from "../../http/app_env.ts";
import { authenticate } from "../../http/authenticate.ts";
import type { Services } from "../../core/context.ts";
import { appPath, metadataPath, readKeyInPath } from "./addresses.ts";
import { authenticateApp } from "./authenticate_app.ts";
import { mcpCors } from "./cors.ts";
import { describeResource } from "./resource_metadata.ts";

/** The sentence of a 500 before a tool is called. */
export const mcpFailure = "Failed to handle the message";

/**
 * The function `mcp`: operations as tools for models. At `/mcp`, with a secret key in a header. Where a publishable key is
 * part of the address, for a user who is signed in with OAuth. The scope is checked when a tool is called: each has its
 * own.
 */
export function createMcpApp(services: Services) {
  const handle = loadHandler(mcpFailure, async () => {
    const { createPostMcp } = await import("./handlers.ts");
    return createPostMcp(async (request) => await app.fetch(request));
  });
  const [byHeader, byPath] = [authenticate(services, readSecretKey), authenticateApp(services)];
  const app = createApp("mcp", services, [
    { method: "POST", path: "/mcp", handle },
    { method: "POST", path: appPath, handle },
  ], {
    open: [{ method: "GET", path: metadataPath, handle: describeResource(services) }],
    admit: (c, next) => readKeyInPath(c.req.path) === undefined ? byHeader(c, next) : byPath(c, next),
    cors: mcpCors,
    describe: withRemedy,
  });
  return app;
}

/** Adds the remedy of a refusal as `message`: people read it in their MCP client. */
function withRemedy(refusal: ApiError, c: HonoContext<AppEnv>): ApiError {
  const isInPath = refusal.code === "invalid_api_key" && readKeyInPath(c.req.path) !== undefined;
  const error = isInPath ? errors.invalidMcpAddress() : refusal;
  const { remedy } = error.options;
  return remedy === undefined ? error : error.withFields({ message: remedy });
}
