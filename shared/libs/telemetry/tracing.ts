import type { AsyncLocalStorage } from "node:async_hooks";
import type { TraceCollector } from "./send_spans.ts";
import { describeError, type Log } from "../base/log.ts";
import { type EndedSpan, newId, type SpanAttributes, type TraceContext, writeTraceparent } from "./trace_context.ts";

/** A span that has begun. */
export interface OpenSpan {
  /** The header `traceparent` for a server that goes on with the trace. */
  readonly traceparent: string;
  /** Ends the span, once; later calls do nothing. */
  end(options?: { name?: string; attributes?: SpanAttributes; hasFailed?: boolean }): void;
}

/** The spans of requests, on their way to an OpenTelemetry collector. */
export interface Tracing {
  /** Begins the span of a request. Spans that begin within `work`, or in what it starts, are its children. */
  follow<Result>(context: TraceContext, attributes: SpanAttributes, work: (span: OpenSpan) => Result): Result;
  /** Begins the span of a call of the current request to the server with an address; null outside of requests. */
  begin(name: string, address: string, attributes: SpanAttributes): OpenSpan | null;
  /** Does work that is shared by many requests: its spans belong to none of them. */
  outside<Result>(work: () => Result): Result;
}

type Followed = { context: TraceContext; spanId: string; attributes: SpanAttributes };

/** The number of spans that wait at most. More are dropped. */
const maxWaiting = 2_048;
/** The number of spans that are sent at once. */
const maxTogether = 512;
/** Milliseconds after a failure in which nothing is sent, and spans are dropped. */
const pause = 30_000;
/** Milliseconds between two log lines on failures. */
const silence = 5 * 60_000;

/**
 * Collects spans, and sends them a moment later, several at once. Requests wait neither for the collector nor for
 * OpenTelemetry's library, which is loaded with the first batch. A batch that fails is dropped.
 */
export function createTracing(
  env: TraceCollector,
  { waitUntil, log, timeouts }: {
    waitUntil: (promise: Promise<unknown>) => void;
    log: Log;
    timeouts: { gather: number; traces: number };
  },
): Tracing {
  const followed = createStorage<Followed | null>();
  let waiting: EndedSpan[] = [];
  let dropped = 0;
  let isSending = false;
  let pausedUntil = 0;
  let silentUntil = 0;

  function keep(span: EndedSpan): void {
    if (waiting.length >= maxWaiting || performance.now() < pausedUntil) {
      dropped++;
      return;
    }
    waiting.push(span);
    if (isSending) return;
    isSending = true;
    waitUntil(followed.run(null, sendSoon));
  }

  async function sendSoon(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, timeouts.gather));
    while (waiting.length > 0) {
      const together = waiting.slice(0, maxTogether);
      waiting = waiting.slice(maxTogether);
      try {
        const { sendSpans } = await import("./send_spans.ts");
        await sendSpans(env, together, timeouts.traces);
      } catch (error) {
        dropped += together.length + waiting.length;
        waiting = [];
        giveUp(error);
      }
    }
    isSending = false;
  }

  function giveUp(error: unknown): void {
    const now = performance.now();
    pausedUntil = now + pause;
    if (now < silentUntil) return;
    silentUntil = now + silence;
    log("warn", "traces_not_exported", { spans: dropped, reason: describeError(error) });
    dropped = 0;
  }

  function open(span: Omit<EndedSpan, "startedAt" | "endedAt" | "hasFailed">): OpenSpan {
    const startedAt = now();
    let hasEnded = false;
    return {
      traceparent: writeTraceparent(span.context, span.id),
      end({ name = span.name, attributes = {}, hasFailed = false } = {}) {
        if (hasEnded) return;
        hasEnded = true;
        if (!span.context.isSampled) return;
        keep({
          ...span,
          name,
          attributes: { ...span.attributes, ...attributes },
          hasFailed,
          startedAt,
          endedAt: now(),
        });
      },
    };
  }

  return {
    follow(context, attributes, work) {
      const [id, { parentId }] = [newId(8), context];
      const span = open({ context, id, parentId, kind: "server", name: "request", attributes });
      return followed.run({ context, spanId: id, attributes }, work, span);
    },
    begin(name, address, attributes) {
      const request = followed.getStore() ?? null;
      if (request === null) return null;
      const { context, spanId } = request;
      return open({
        context,
        id: newId(8),
        parentId: spanId,
        kind: "client",
        name,
        attributes: {
          "faas.name": request.attributes["faas.name"],
          // Not new URL(): its error would print a secret that was put into the wrong variable.
          "server.address": URL.parse(address)?.hostname,
          ...attributes,
        },
      });
    },
    outside: (work) => followed.run(null, work),
  };
}

const now = () => performance.timeOrigin + performance.now();

/** A storage that follows a request through everything that it starts, loaded only where there are traces. */
function createStorage<Value>(): AsyncLocalStorage<Value> {
  // deno-lint-ignore no-process-global -- To import it would load the module with every start.
  const { AsyncLocalStorage } = process.getBuiltinModule("node:async_hooks");
  return new AsyncLocalStorage<Value>();
}
