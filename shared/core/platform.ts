import { type Timeouts, timeouts } from "../infra/timeouts.ts";
import { readTraceCollector } from "../infra/env.ts";
import type { TraceCollector } from "../libs/telemetry/send_spans.ts";
import { createLog, type Log, type LogFields } from "../libs/base/log.ts";
import { createTracing, type Tracing } from "../libs/telemetry/tracing.ts";

declare const EdgeRuntime: { waitUntil(promise: Promise<unknown>): void } | undefined;

/** Returns whether this is the edge runtime, or the local copy of it. */
export function isOnPlatform(): boolean {
  return typeof EdgeRuntime !== "undefined";
}

/** Keeps the worker alive until the promise has settled, where the platform can. */
export function waitUntil(promise: Promise<unknown>): void {
  // A new promise for each call: the runtime counts the calls against the promises that have settled.
  if (typeof EdgeRuntime !== "undefined") EdgeRuntime.waitUntil(promise.then(() => {}, () => {}));
}

/** The tracing that the environment asks for; null: it names no collector. */
export function openTracing(
  env: TraceCollector | null = readTraceCollector((name) => Deno.env.get(name)?.trim() || null),
  overrides: {
    createLog?: (bound: LogFields) => Log;
    waitUntil?: (promise: Promise<unknown>) => void;
    timeouts?: Timeouts;
  } = {},
): Tracing | null {
  if (env === null) return null;
  return createTracing(env, {
    waitUntil: overrides.waitUntil ?? waitUntil,
    log: (overrides.createLog ?? createLog)({}),
    timeouts: overrides.timeouts ?? timeouts,
  });
}
