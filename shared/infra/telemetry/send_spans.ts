import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { type ReadableSpan, TracerProvider } from "@opentelemetry/sdk-trace";
import { release } from "../../base/release.ts";
import type { TracesEnv } from "../env.ts";
import { LoggableError } from "../log.ts";
import type { EndedSpan } from "./span.ts";

/** A collector that has refused spans. Its reply may quote them, so that only the status is kept. */
class CollectorError extends LoggableError {
  override name = "CollectorError";
}

/**
 * Sends spans to a collector, by OTLP over HTTP, as JSON.
 *
 * @param timeout milliseconds
 * @throws {CollectorError} when it refuses them, and what `fetch` throws when it does not answer in time.
 */
export async function sendSpans(env: TracesEnv, spans: EndedSpan[], timeout: number): Promise<void> {
  const response = await fetch(env.url, {
    method: "POST",
    headers: { ...env.headers, "Content-Type": "application/json" },
    body: serialize(env, spans),
    // The headers may hold a key, which belongs to this address alone.
    redirect: "error",
    signal: AbortSignal.timeout(timeout),
  });
  await response.body?.cancel();
  if (!response.ok) throw new CollectorError(`${response.status}`);
}

/** The body of a request to a collector. */
function serialize({ serviceName, resourceAttributes }: TracesEnv, spans: EndedSpan[]): Uint8Array<ArrayBuffer> {
  const ended: ReadableSpan[] = [];
  let spanId = "";
  let traceId = "";
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.version": release.version,
      ...resourceAttributes,
      "service.name": serviceName,
    }),
    // The ids were chosen when the spans began, since other services may know them.
    idGenerator: { generateTraceId: () => traceId, generateSpanId: () => spanId },
    spanProcessors: [{
      onStart() {},
      onEnd: (span) => void ended.push(span),
      forceFlush: () => Promise.resolve(),
      shutdown: () => Promise.resolve(),
    }],
  });
  const tracer = provider.getTracer(release.title, release.version);
  for (const { context, id, parentId, kind, name, startedAt, endedAt, attributes, hasFailed } of spans) {
    [spanId, traceId] = [id, context.traceId];
    const parent = parentId === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, {
      traceId,
      spanId: parentId,
      traceFlags: TraceFlags.SAMPLED,
      // Only requests have a parent elsewhere.
      isRemote: kind === "server",
    });
    const span = tracer.startSpan(name, {
      kind: kind === "server" ? SpanKind.SERVER : SpanKind.CLIENT,
      startTime: toHrTime(startedAt),
      attributes: Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)),
    }, parent);
    if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(toHrTime(endedAt));
  }
  return JsonTraceSerializer.serializeRequest(ended) as Uint8Array<ArrayBuffer>;
}

/** Seconds and nanoseconds: a number with all digits would be too large to be exact. */
function toHrTime(milliseconds: number): [number, number] {
  const seconds = Math.floor(milliseconds / 1_000);
  return [seconds, Math.floor((milliseconds - seconds * 1_000) * 1_000_000)];
}
