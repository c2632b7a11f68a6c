import { createMcpHandler, isJSONRPCRequest } from "@modelcontextprotocol/server";
import type { ErrorCode } from "../errors.ts";
import type { Handler } from "../http/app_env.ts";
import { describeError } from "../log.ts";
import { readMessage } from "./read_message.ts";
import { replyTypes } from "./refusals.ts";
import { createMcpServer } from "./server.ts";

/** `POST /mcp` */
export const postMcp: Handler = async (c) => {
  const { ctx, log } = c.var;
  const read = await readMessage(c.req.raw);
  if ("refusal" in read) {
    const { error: { status, code, message }, rpcCode } = read.refusal;
    const body = { jsonrpc: "2.0", error: { code: rpcCode, message, data: { status, code } }, id: null };
    return c.json(body, status as 400, { "X-Error-Code": code });
  }
  const isCall = isJSONRPCRequest(read.message) && read.message.method === "tools/call";
  const handler = createMcpHandler(() => createMcpServer(ctx), {
    // An answer may take minutes. A stream begins at once, and comments keep it open.
    responseMode: isCall ? "sse" : "auto",
    keepAliveMs: ctx.services.timeouts.quiet,
    // Clients subscribe to changes of the tools, which never change.
    maxSubscriptions: 0,
    onerror: (error) => log("warn", "mcp_rejected", { reason: describeError(error) }),
  });
  // A copy of the request, since the SDK would listen to the signal of the request itself, at which Deno prints a
  // warning. A client that leaves cancels the stream, which is enough.
  const request = new Request(c.req.raw.url, { method: "POST", headers: c.req.raw.headers });
  // `readMessage` has checked it, more leniently than the SDK does for older revisions.
  request.headers.set("Accept", replyTypes.join(", "));
  const response = await handler.fetch(request, { parsedBody: read.message });
  if (!response.ok) c.header("X-Error-Code", readCode(response));
  // The SDK's own response lacks the headers that every reply has.
  return c.newResponse(response.body, response);
};

/** The code of what the SDK refuses before a tool is called. */
function readCode({ status }: Response): ErrorCode {
  if (status === 404) return "unknown_method";
  if (status === 415) return "unsupported_media_type";
  return status < 500 ? "invalid_message" : "internal_error";
}
