import { LoggableError } from "../base/log.ts";
import { serializeSpans } from "./serialize_spans.js";
import type { EndedSpan } from "./trace_context.ts";

/** The OpenTelemetry collector that spans are sent to. */
export type TraceCollector = {
  /** The address that takes traces. */
  url: string;
  /** Headers for it, which may hold a key. */
  headers: Record<string, string>;
  serviceName: string;
  resourceAttributes: Record<string, string>;
  /** The program that makes the spans. */
  scope: { title: string; version: string };
};

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
export async function sendSpans(env: TraceCollector, spans: EndedSpan[], timeout: number): Promise<void> {
  const { serviceName, resourceAttributes, scope } = env;
  const resource = { "service.version": scope.version, ...resourceAttributes, "service.name": serviceName };
  const response = await fetch(env.url, {
    method: "POST",
    headers: { ...env.headers, "Content-Type": "application/json" },
    body: serializeSpans({ ...scope, resource }, spans),
    // The headers may hold a key, which belongs to this address alone.
    redirect: "error",
    signal: AbortSignal.timeout(timeout),
  });
  await response.body?.cancel();
  if (!response.ok) throw new CollectorError(`${response.status}`);
}
