import { createMcpHandler, isJSONRPCRequest } from "@modelcontextprotocol/server";
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
    const { status, ...error } = read.refusal;
    return c.json({ jsonrpc: "2.0", error, id: null }, status);
  }
  const isCall = isJSONRPCRequest(read.message) && read.message.method === "tools/call";
  const handler = createMcpHandler(() => createMcpServer(ctx), {
    // An answer may take minutes: a stream begins at once, and can be kept open.
    responseMode: isCall ? "sse" : "auto",
    keepAliveMs: ctx.services.timeouts.quiet,
    // Tools do not change while the server runs: such a stream would never carry anything.
    maxSubscriptions: 0,
    onerror: (error) => log("warn", "mcp_rejected", { reason: describeError(error) }),
  });
  // Not the request itself: the SDK would listen to its signal, at which Deno prints a warning. A client that leaves
  // cancels the stream, which is enough.
  const request = new Request(c.req.raw.url, { method: "POST", headers: c.req.raw.headers });
  // Checked already, and more leniently than the SDK does for older revisions.
  request.headers.set("Accept", replyTypes.join(", "));
  const response = await handler.fetch(request, { parsedBody: read.message });
  // Made anew, since a foreign response comes without the headers that every reply has.
  return c.newResponse(response.body, response);
};
