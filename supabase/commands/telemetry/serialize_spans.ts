/**
 * The source of `shared/libs/telemetry/serialize_spans.js`, which `npm run lock` writes: OpenTelemetry's library in one
 * file. As packages it would be 18 MB in every function, too much for those that are uploaded without being bundled.
 */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { type ReadableSpan, TracerProvider } from "@opentelemetry/sdk-trace";
import type { EndedSpan } from "../../../shared/libs/telemetry/trace_context.ts";

/** The sender of spans. */
export type Sender = { title: string; version: string; resource: Record<string, string> };

/** The body of a request to a collector. */
export function serializeSpans({ title, version, resource }: Sender, spans: EndedSpan[]): Uint8Array<ArrayBuffer> {
  const ended: ReadableSpan[] = [];
  let spanId = "";
  let traceId = "";
  const provider = new TracerProvider({
    resource: resourceFromAttributes(resource),
    // The ids were chosen when the spans began, since other services may know them.
    idGenerator: { generateTraceId: () => traceId, generateSpanId: () => spanId },
    spanProcessors: [{
      onStart() {},
      onEnd: (span) => void ended.push(span),
      forceFlush: () => Promise.resolve(),
      shutdown: () => Promise.resolve(),
    }],
  });
  const tracer = provider.getTracer(title, version);
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
