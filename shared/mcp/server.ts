import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { RequestContext } from "../context.ts";
import { ApiError, errors } from "../errors.ts";
import { describeError } from "../log.ts";
import { release } from "../release.ts";
import { maxTokenLength } from "./limits.ts";
import type { CallOptions } from "./tool.ts";
import { tools } from "./tools.ts";

const instructions = "Conversations with coaches, personas that are built on the expertise of real people, and the " +
  "files they know. Ask a coach with chat and pass the thread_id of its answer to go on with the conversation; " +
  "get-user-threads and threads find earlier ones. Ids of coaches come from whoever runs the application.";

/**
 * An MCP server for one request. The SDK's low-level one: its other would make tool results of all failures, also of
 * those that no caller can mend.
 */
export function createMcpServer(ctx: RequestContext): Server {
  const server = new Server(
    { name: "human-intelligence-chat", ...release },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler("tools/list", () => ({ tools: [...tools.values()].map(({ description }) => description) }));
  server.setRequestHandler("tools/call", ({ params }, { mcpReq: { _meta, notify } }) => {
    const progressToken = _meta?.progressToken;
    if (String(progressToken).length > maxTokenLength) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `A progressToken has at most ${maxTokenLength} characters`,
      );
    }
    const called = callTool(ctx, params, {
      // A client that has left misses it; the call goes on.
      report: progressToken === undefined
        ? undefined
        : (progress) =>
          void notify({ method: "notifications/progress", params: { progressToken, ...progress } }).catch(() => {}),
    });
    // The reply may be over before: when its client leaves.
    ctx.services.waitUntil(called.catch(() => {}));
    return called;
  });
  return server;
}

/**
 * Calls a tool. What the caller can mend is told in the result, for the model to read.
 *
 * @throws {ProtocolError} for a tool that there is not, and for failures of the service.
 */
async function callTool(
  ctx: RequestContext,
  { name, arguments: args = {} }: { name: string; arguments?: Record<string, unknown> },
  options: CallOptions,
): Promise<CallToolResult> {
  const tool = tools.get(name);
  if (tool === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${JSON.stringify(name.slice(0, 100))}`);
  }
  const began = performance.now();
  let failure: ApiError | undefined;
  try {
    if (!ctx.caller.scopes.includes(tool.scope)) throw errors.missingScope(tool.scope);
    return await tool.call(ctx, args, options);
  } catch (error) {
    failure = error instanceof ApiError ? error : errors.failed(tool.failure, error);
    if (failure.status < 500) return describeRefusal(failure);
    const { status, message } = failure;
    throw new ProtocolError(ProtocolErrorCode.InternalError, message, { status, ...failure.toJSON() });
  } finally {
    const status = failure?.status ?? 200;
    ctx.log(status < 500 ? "info" : "error", "tool_call", {
      tool: name,
      status,
      ms: Math.round(performance.now() - began),
      reason: status < 500 ? undefined : describeError(failure),
    });
  }
}

function describeRefusal({ message, options: { remedy } }: ApiError): CallToolResult {
  return { content: [{ type: "text", text: remedy === undefined ? message : `${message}. ${remedy}` }], isError: true };
}
