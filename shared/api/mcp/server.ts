import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { IncomingRequest } from "../../core/context.ts";
import { type ApiError, type ErrorCode, toApiError } from "../../infra/errors.ts";
import { lazy } from "../../libs/base/lazy.ts";
import { describeError } from "../../libs/base/log.ts";
import { release } from "../../infra/release.ts";
import { maxTokenLength } from "./refusals.ts";
import type { Standing } from "../../features/experts/roles.ts";
import { type CallOptions, callTool, listTools } from "./tool.ts";
import { tools } from "./tools.ts";

const instructions =
  "Conversations with coaches and the files they know. A coach is a persona built on a real person's expertise. " +
  "Find coaches with list-coaches and ask one with chat. To continue a conversation, pass the thread_id of its " +
  "last answer. get-user-threads and threads find earlier conversations.";

/** All tools, as they are listed. */
const listedTools = lazy(() => listTools(tools));

/**
 * An MCP server for one request. It uses the SDK's low-level server, since the other one makes a tool result of every
 * failure, also of those that no caller can mend.
 *
 * @param standing of the caller, who is shown the tools that it may call; null for a request that lists none
 */
export function createMcpServer(incoming: IncomingRequest, standing: Standing | null): Server {
  const server = new Server(
    { name: "human-intelligence-chat", ...release },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler("tools/list", async () => {
    const all = await listedTools();
    const mayCall = ({ tool, scope }: typeof all[number]) =>
      standing !== null && incoming.admission.holds(scope) && tool.isFor?.(standing) !== false;
    return { tools: all.filter(mayCall).map(({ listed }) => listed) };
  });
  server.setRequestHandler("tools/call", ({ params }, { mcpReq: { _meta, notify } }) => {
    const progressToken = _meta?.progressToken;
    if (String(progressToken).length > maxTokenLength) {
      throw invalidParams("invalid_input", `A progressToken has at most ${maxTokenLength} characters`);
    }
    const called = call(incoming, params, {
      // Fails if the client has disconnected; the call continues.
      report: progressToken === undefined
        ? undefined
        : (progress) =>
          void notify({ method: "notifications/progress", params: { progressToken, ...progress } }).catch(() => {}),
    });
    // A client that leaves ends the reply, but not the call.
    incoming.services.waitUntil(called.catch(() => {}));
    return called;
  });
  return server;
}

/**
 * Calls a tool by its name and logs the call. Errors that the caller can fix are in the result, for the model to read.
 *
 * @throws {ProtocolError} for an unknown tool, and for failures of the service.
 */
async function call(
  incoming: IncomingRequest,
  { name, arguments: args = {} }: { name: string; arguments?: Record<string, unknown> },
  options: CallOptions,
): Promise<CallToolResult> {
  const tool = tools.find((tool) => tool.name === name);
  if (tool === undefined) {
    throw invalidParams("unknown_tool", `There is no tool ${JSON.stringify(name.slice(0, 100))}`);
  }
  const began = performance.now();
  let failure: ApiError | undefined;
  try {
    return await callTool(tool, incoming, args, options);
  } catch (error) {
    failure = toApiError(error, "Internal error");
    if (failure.status < 500) return describeRefusal(failure);
    const { status, code, message } = failure;
    throw new ProtocolError(ProtocolErrorCode.InternalError, message, { status, code, ...failure.toJSON() });
  } finally {
    const status = failure?.status ?? 200;
    incoming.log(status < 500 ? "info" : "error", "tool_call", {
      tool: name,
      status,
      code: failure?.code,
      ms: Math.round(performance.now() - began),
      reason: status < 500 ? undefined : describeError(failure),
    });
  }
}

function describeRefusal({ code, message, options: { remedy } }: ApiError): CallToolResult {
  const text = remedy === undefined ? message : `${message}. ${remedy}`;
  return { content: [{ type: "text", text }], isError: true, _meta: { error_code: code } };
}

function invalidParams(code: ErrorCode, message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { status: 400, code });
}
