import type { Context as HonoContext } from "hono";
import {
  type CallToolResult,
  createMcpHandler,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from "@modelcontextprotocol/server";
import type { Admission, Needed } from "../../core/auth/admission.ts";
import { ApiError, type ErrorCode, toApiError } from "../../infra/errors.ts";
import type { IncomingRequest } from "../../core/context.ts";
import { getStanding, type Standing } from "../../features/experts/roles.ts";
import type { AppEnv, Handler } from "../../http/app_env.ts";
import { readAdmitted, readBodyText } from "../../http/read_input.ts";
import { describeError } from "../../libs/base/log.ts";
import { maxBatch, maxBodyBytes, maxTokenLength, type Refusal, refusals, replyTypes } from "./refusals.ts";
import { drainBody, usualDrain } from "../../http/drain_body.ts";
import { isTooComplex } from "../../http/measure_json.ts";
import { lazy } from "../../libs/base/lazy.ts";
import { release } from "../../infra/release.ts";
import { type CallOptions, callTool, listTools } from "./tool.ts";
import { tools } from "./tools.ts";

/** The tools are listed for a key of any scope. */
const anyScope: Needed = ["chat", "threads:read", "threads:write", "knowledge:read", "knowledge:write", "expert"];

/** `POST /mcp`. `fetch` answers a request for one message of a batch. */
export function createPostMcp(fetch: (request: Request) => Promise<Response>): Handler {
  return async function postMcp(c) {
    const { incoming } = c.var;
    const read = await readAdmitted(c.req.raw, incoming, () => readMessages(c.req.raw));
    if ("refusal" in read) {
      await incoming.admission.require();
      const { error: { status, code, message }, rpcCode } = read.refusal;
      const body = { jsonrpc: "2.0", error: { code: rpcCode, message, data: { status, code } }, id: null };
      return c.json(body, status as 400, { "X-Error-Code": code });
    }
    const [message, ...others] = read.messages;
    const reply = await answer(c, message);
    return others.length === 0 || !reply.ok ? reply : addReplies(c, reply, { others, fetch });
  };
}

/** Answers one message, for which the request is admitted. */
async function answer(c: HonoContext<AppEnv>, message: unknown): Promise<Response> {
  const { incoming, log } = c.var;
  const { admission, services } = incoming;
  const method = isJSONRPCRequest(message) ? message.method : null;
  const isCall = method === "tools/call";
  const standing = method === "tools/list" ? await readStanding(incoming) : null;
  // A tool admits the request with the call that does its work.
  if (!isCall) await admission.require();
  const handler = createMcpHandler(() => createMcpServer(incoming, standing), {
    // An answer may take minutes. A stream starts immediately, and comments keep it open.
    responseMode: isCall ? "sse" : "auto",
    keepAliveMs: services.timeouts.quiet,
    // Clients subscribe to changes of the tools, which never change.
    maxSubscriptions: 0,
    onerror: (error) => log("warn", "mcp_rejected", { reason: describeError(error) }),
  });
  // A copy of the request, since the SDK would listen to the signal of the request itself, at which Deno prints a
  // warning. A client that leaves cancels the stream, which is enough.
  const request = new Request(c.req.raw.url, { method: "POST", headers: c.req.raw.headers });
  // `readMessages` has checked it, more leniently than the SDK does for older revisions.
  request.headers.set("Accept", replyTypes.join(", "));
  const response = await handler.fetch(request, { parsedBody: message });
  if (!response.ok) c.header("X-Error-Code", readCode(response));
  const body = isCall && response.body !== null ? await holdBack(response.body, admission) : response.body;
  // The SDK's own response lacks the headers that every reply has.
  return c.newResponse(body, response);
}

/** Asks what the caller is to its coaches, in the call that admits the request. @throws as `Admission.require` does */
async function readStanding({ admission, userId }: IncomingRequest): Promise<Standing> {
  try {
    return await getStanding(admission.openDatabase(anyScope), userId);
  } catch (error) {
    throw await admission.judge(error);
  }
}

/**
 * Delays the reply to a call until its tool has admitted the request. If there is a reply without a tool, the message
 * was refused: then the request is admitted for that.
 *
 * @throws as `Admission.require` does
 */
async function holdBack(reply: ReadableStream<Uint8Array>, admission: Admission): Promise<ReadableStream<Uint8Array>> {
  const begun = Promise.withResolvers<void>();
  const { readable: body, writable } = new TransformStream<Uint8Array, Uint8Array>(
    {
      transform(chunk, controller) {
        begun.resolve();
        controller.enqueue(chunk);
      },
    },
    undefined,
    { highWaterMark: 1 },
  );
  reply.pipeTo(writable).catch(() => {}).finally(begun.resolve);
  await Promise.race([admission.settled, begun.promise]);
  try {
    await admission.require();
  } catch (refusal) {
    await body.cancel();
    throw refusal;
  }
  return body;
}

/** The code of a message that the SDK refuses before a tool is called. */
function readCode({ status }: Response): ErrorCode {
  if (status === 404) return "unknown_method";
  if (status === 415) return "unsupported_media_type";
  return status < 500 ? "invalid_message" : "internal_error";
}

const encoder = new TextEncoder();

/**
 * A reply to the first message of a batch, together with those to the others, one after the other. Each of these is a
 * request of its own, which is admitted and counted. Where no message asks for a reply there is none.
 */
async function addReplies(
  c: HonoContext<AppEnv>,
  first: Response,
  { others, fetch }: { others: unknown[]; fetch: (request: Request) => Promise<Response> },
): Promise<Response> {
  const headers = new Headers(c.req.raw.headers);
  headers.delete("Content-Length");
  const ask = (message: unknown) =>
    fetch(new Request(c.req.raw.url, { method: "POST", headers, body: JSON.stringify(message) }));
  if (first.status === 202 && !others.some(isJSONRPCRequest)) {
    for (const message of others) await (await ask(message)).body?.cancel();
    return first;
  }
  const stream = ReadableStream.from(async function* () {
    yield* readEvents(first, null);
    for (const message of others) {
      yield* readEvents(await ask(message), isJSONRPCRequest(message) ? message.id : null);
    }
  }());
  return c.newResponse(stream, 200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
}

/** The messages of a reply, as events. A refused request is an error of its message. */
async function* readEvents(reply: Response, id: string | number | null): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (reply.body === null || reply.status === 202) return;
  if (reply.headers.get("Content-Type")?.startsWith("text/event-stream")) return yield* reply.body;
  const body = await reply.json();
  const { status, headers } = reply;
  const message = "jsonrpc" in body ? body : {
    jsonrpc: "2.0",
    id,
    error: { code: -32_000, message: body.error, data: { status, code: headers.get("X-Error-Code"), ...body } },
  };
  yield encoder.encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

/** The revision that has batches. It has no header yet that names it. */
const revisionOfBatches = "2025-03-26";

/** The JSON-RPC messages that a request carries, one but for a batch, or why it is refused. */
async function readMessages(request: Request): Promise<{ messages: unknown[] } | { refusal: Refusal }> {
  let body: unknown;
  try {
    const text = await readBodyText(request, maxBodyBytes);
    if (isTooComplex(text)) return { refusal: refusals.tooManyValues };
    body = JSON.parse(text);
  } catch (error) {
    await drainBody(request, usualDrain);
    const isTooLarge = error instanceof ApiError && error.status === 413;
    return { refusal: isTooLarge ? refusals.tooLarge : refusals.notJson };
  }
  const revision = request.headers.get("MCP-Protocol-Version") ?? revisionOfBatches;
  const messages = Array.isArray(body) && revision === revisionOfBatches ? body : [body];
  const areMessages = messages.every((message) =>
    [isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResponse].some((isMessage) => isMessage(message))
  );
  if (messages.length === 0 || messages.length > maxBatch || !areMessages) return { refusal: refusals.noMessage };
  // The SDK checks this for older revisions only.
  if (!acceptsReplies(request.headers.get("Accept") ?? "")) return { refusal: refusals.notAcceptable };
  return { messages: messages.map(leaveOutNull) };
}

function acceptsReplies(accept: string): boolean {
  const accepted = accept.split(",").map((range) => range.split(";")[0]!.trim().toLowerCase());
  return replyTypes.every((type) =>
    [type, type.replace(/\/.*/, "/*"), "*/*"].some((range) => accepted.includes(range))
  );
}

/** Some clients send null for the arguments of a tool that needs none. */
function leaveOutNull(message: unknown): unknown {
  if (!isJSONRPCRequest(message) || message.params?.arguments !== null) return message;
  const { arguments: _, ...params } = message.params;
  return { ...message, params };
}

const instructions =
  "Conversations with coaches and the files they know. A coach is a persona built on a real person's expertise. " +
  "Find coaches with list-coaches and ask one with chat. To continue a conversation, pass the thread_id of its " +
  "last answer. get-user-threads and threads find earlier conversations.";

const listedTools = lazy(() => listTools(tools));

/**
 * An MCP server for one request. It uses the SDK's low-level server, since the other one makes a tool result of every
 * failure, also of those that no caller can mend.
 *
 * @param standing of the caller, who is shown the tools that it may call; null for a request that lists none
 */
function createMcpServer(incoming: IncomingRequest, standing: Standing | null): Server {
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
