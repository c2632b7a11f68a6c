import { type Timeouts, timeouts } from "../infra/timeouts.ts";
import { readTraceCollector } from "../infra/env.ts";
import type { TraceCollector } from "../libs/telemetry/send_spans.ts";
import { createLog, type Log, type LogFields } from "../libs/base/log.ts";
import { createTracing, type Tracing } from "../libs/telemetry/tracing.ts";
import { waitUntil } from "./platform.ts";

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
