import type { Context as HonoContext } from "hono";
import {
  createMcpHandler,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
} from "@modelcontextprotocol/server";
import type { Admission, Needed } from "../../core/auth/admission.ts";
import { ApiError, type ErrorCode } from "../../infra/errors.ts";
import type { IncomingRequest } from "../../core/context.ts";
import { getStanding, type Standing } from "../../features/experts/roles.ts";
import type { AppEnv, Handler } from "../../http/app_env.ts";
import { readAdmitted, readBodyText } from "../../http/read_input.ts";
import { describeError } from "../../libs/base/log.ts";
import { maxBatch, maxBodyBytes, type Refusal, refusals, replyTypes } from "./refusals.ts";
import { createMcpServer } from "./server.ts";
import { drainBody, usualDrain } from "../../http/drain_body.ts";
import { isTooComplex } from "../../http/measure_json.ts";

/** The tools are listed for a key of any scope. */
const anyScope: Needed = ["chat", "threads:read", "threads:write", "knowledge:read", "knowledge:write", "expert"];

/**
 * `POST /mcp`
 *
 * @param fetch answers a request for one message of a batch
 */
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
