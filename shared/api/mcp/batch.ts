import { isJSONRPCRequest } from "@modelcontextprotocol/server";
import type { Context as HonoContext } from "hono";
import type { AppEnv } from "../../http/app_env.ts";

const encoder = new TextEncoder();

/**
 * A reply to the first message of a batch, together with those to the others, one after the other. Each of these is a
 * request of its own, which is admitted and counted. Where no message asks for a reply there is none.
 */
export async function addReplies(
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
