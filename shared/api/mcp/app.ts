import type { ApiError } from "../../base/errors.ts";
import { readSecretKey } from "../../core/auth/shown_key.ts";
import { createApp, loadHandler } from "../../http/app.ts";
import { authenticate } from "../../http/authenticate.ts";
import type { Services } from "../../core/context.ts";

/** The sentence of a 500 before a tool is called. */
export const mcpFailure = "Failed to handle the message";

/** The function `mcp`: operations as tools for models, with secret keys alone. The scope is checked when a tool is called: each has its own. */
export function createMcpApp(services: Services) {
  const handle = loadHandler(mcpFailure, async () => (await import("./handlers.ts")).postMcp);
  return createApp("mcp", services, [{ method: "POST", path: "/mcp", handle }], {
    admit: authenticate(services, readSecretKey),
    describe: withRemedy,
  });
}

/** Adds the remedy of a refusal as `message`: people read it in their MCP client. */
function withRemedy(error: ApiError): ApiError {
  const { remedy } = error.options;
  return remedy === undefined ? error : error.withFields({ message: remedy });
}
