import type { MiddlewareHandler } from "hono";
import { ApiError } from "../errors.ts";
import { createApp, type Endpoint } from "../http/app.ts";
import type { AppEnv } from "../http/app_env.ts";
import { authenticate } from "../http/authenticate.ts";
import type { Services } from "../services.ts";

export const mcpEndpoints: Endpoint[] = [{
  method: "POST",
  path: "/mcp",
  failure: "Failed to handle the message",
  load: async () => (await import("./handlers.ts")).postMcp,
}];

/** The function `mcp`: the service as tools for models. Scopes are asked for by the tools, each its own. */
export function createMcpApp(services: Services) {
  return createApp("mcp", services, mcpEndpoints, { admit: authenticateWithRemedies(services) });
}

/** As everywhere; but a refusal also says, as `message`, what to do about it: people read it in their MCP client. */
function authenticateWithRemedies(services: Services): MiddlewareHandler<AppEnv> {
  const authenticateCaller = authenticate(services);
  return async function authenticateWithRemedies(c, next) {
    try {
      await authenticateCaller(c, next);
    } catch (error) {
      if (!(error instanceof ApiError) || error.options.remedy === undefined) throw error;
      throw error.withFields({ message: error.options.remedy });
    }
  };
}
