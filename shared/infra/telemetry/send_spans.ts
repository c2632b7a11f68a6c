import { release } from "../../base/release.ts";
import type { TracesEnv } from "../env.ts";
import { LoggableError } from "../log.ts";
import { serializeSpans } from "./serialize_spans.js";
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
  const { serviceName, resourceAttributes } = env;
  const resource = { "service.version": release.version, ...resourceAttributes, "service.name": serviceName };
  const response = await fetch(env.url, {
    method: "POST",
    headers: { ...env.headers, "Content-Type": "application/json" },
    body: serializeSpans({ ...release, resource }, spans),
    // The headers may hold a key, which belongs to this address alone.
    redirect: "error",
    signal: AbortSignal.timeout(timeout),
  });
  await response.body?.cancel();
  if (!response.ok) throw new CollectorError(`${response.status}`);
}
