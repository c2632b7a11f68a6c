import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { CoreServices } from "../core/core_services.ts";
import { readTraceContext, type SpanAttributes } from "../libs/telemetry/trace_context.ts";
import type { OpenSpan } from "../libs/telemetry/tracing.ts";
import type { AppEnv } from "./app_env.ts";
import { requestId as honoRequestId } from "hono/request-id";
import { describeError, holdsKey } from "../libs/base/log.ts";

/**
 * Sets `traceId`: that of the caller's `traceparent`, or a new one. Where spans are recorded, each request has one that
 * ends when its reply, or its stream, does. It has the pattern of the path, as log lines do, and neither path nor query.
 * Preflights have none: they lead to nothing.
 */
export function followRequest(
  functionName: string,
  { tracing }: Pick<CoreServices, "tracing">,
): MiddlewareHandler<AppEnv> {
  return async function followRequest(c, next) {
    const context = readTraceContext(c.req.header("traceparent"));
    c.set("traceId", context.traceId);
    if (tracing === null || c.req.method === "OPTIONS") return await next();
    const method = readMethod(c.req.method) ?? "_OTHER";
    const attributes = {
      "faas.name": functionName,
      "http.request.method": method,
      "url.scheme": new URL(c.req.url).protocol.slice(0, -1),
      "request.id": c.get("requestId"),
    };
    await tracing.follow(context, attributes, async (span) => {
      await next();
      // Without the patterns of its parameters.
      const route = routePath(c, -1).replaceAll(/\{[^}]*\}/g, "");
      // Nothing but the middleware has answered.
      const isKnown = !route.endsWith("*");
      const name = isKnown ? `${method} ${route}` : method;
      endWithReply(c, span, name, { "http.route": isKnown ? route : undefined });
    });
  };
}

/** Ends a span with the reply, or with its last piece if that is a stream of events. */
function endWithReply(c: Context<AppEnv>, span: OpenSpan, name: string, attributes: SpanAttributes): void {
  const { status, headers, body } = c.res;
  const code = headers.get("X-Error-Code");
  const replied = {
    ...attributes,
    "http.response.status_code": status,
    "http.response.header.x-error-code": code === null ? undefined : [code],
    "error.type": status < 500 ? undefined : code ?? String(status),
  };
  if (body === null || !headers.get("Content-Type")?.startsWith("text/event-stream")) {
    return span.end({ name, attributes: replied, hasFailed: status >= 500 });
  }
  c.res = new Response(
    watchEnd(body, (end) => {
      // A reader may leave whenever it likes: only a stream that breaks off has failed.
      const hasFailed = end === "broken";
      const reason = hasFailed ? { "error.type": "stream_broken" } : {};
      span.end({ name, attributes: { ...replied, "http.response.stream_end": end, ...reason }, hasFailed });
    }),
    c.res,
  );
}

/** The ways in which a stream ends: read to its end, left by its reader, or broken off by its source. */
type StreamEnd = "complete" | "left" | "broken";

/** The same stream; `onEnd` is called with its end. */
function watchEnd(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onEnd: (end: StreamEnd) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
        onEnd("complete");
      } catch (error) {
        onEnd("broken");
        throw error;
      }
    },
    async cancel(reason) {
      onEnd("left");
      await reader.cancel(reason);
    },
    // What nobody reads yet waits in the source, which counts it.
  }, { highWaterMark: 0 });
}

/**
 * Gives every request an id: the caller's `X-Request-Id` where it is acceptable, otherwise a new one. Hono's middleware
 * checks characters and length. An id that holds a key is not acceptable either, since ids are logged and stored.
 */
export function requestId(): MiddlewareHandler {
  const takeSaneOne = honoRequestId();
  const makeNewOne = honoRequestId({ limitLength: 0 });
  return function requestId(c, next) {
    return holdsKey(c.req.header("X-Request-Id") ?? "") ? makeNewOne(c, next) : takeSaneOne(c, next);
  };
}

/**
 * Sets `log`, bound to the function and the request, and writes one line with it when the reply leaves: with the code
 * and the reason where it failed. The route is logged as its pattern, since paths hold user ids. A method is logged only
 * where it looks like those of HTTP, since a client can send any word for one.
 */
export function accessLog(
  functionName: string,
  { createLog }: Pick<CoreServices, "createLog">,
): MiddlewareHandler<AppEnv> {
  return async function accessLog(c, next) {
    const began = performance.now();
    const log = createLog({ function: functionName, request_id: c.get("requestId"), trace_id: c.get("traceId") });
    c.set("log", log);
    await next();
    const { status } = c.res;
    log(status < 500 ? "info" : "error", "request", {
      method: readMethod(c.req.method) ?? "other",
      route: routePath(c, -1),
      status,
      code: c.res.headers.get("X-Error-Code") ?? undefined,
      ms: Math.round(performance.now() - began),
      key_id: c.get("incoming")?.admission.keyId ?? undefined,
      reason: c.error && describeError(c.error),
    });
  };
}

/** A method that looks like those of HTTP; null for any other word. */
function readMethod(method: string): string | null {
  return /^[A-Z]{3,7}$/.test(method) ? method : null;
}
