import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Handler } from "../http/app_env.ts";
import { describeError } from "../log.ts";
import { readMessage } from "./read_message.ts";
import { createMcpServer } from "./server.ts";

/** `POST /mcp` */
export const postMcp: Handler = async (c) => {
  const { ctx, log } = c.var;
  const read = await readMessage(c.req.raw);
  if ("refusal" in read) {
    const { status, ...error } = read.refusal;
    return c.json({ jsonrpc: "2.0", error, id: null }, status);
  }
  const handler = createMcpHandler(() => createMcpServer(ctx), {
    keepAliveMs: ctx.services.timeouts.quiet,
    // Tools do not change while the server runs: such a stream would never carry anything.
    maxSubscriptions: 0,
    onerror: (error) => log("warn", "mcp_rejected", { reason: describeError(error) }),
  });
  // Not the request itself: the SDK would listen to its signal, at which Deno prints a warning. A client that leaves
  // cancels the stream, which is enough.
  const { url, headers } = c.req.raw;
  const response = await handler.fetch(new Request(url, { method: "POST", headers }), { parsedBody: read.message });
  // Made anew, since a foreign response comes without the headers that every reply has.
  return c.newResponse(response.body, response);
};
