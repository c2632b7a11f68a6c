import { type Timeouts, timeouts } from "../base/timeouts.ts";
import { readTracesEnv, type TracesEnv } from "../infra/env.ts";
import { createLog, type Log, type LogFields } from "../infra/log.ts";
import { createTracing, type Tracing } from "../infra/telemetry/tracing.ts";
import { waitUntil } from "./platform.ts";

/** The tracing that the environment asks for; null: it names no collector. */
export function openTracing(
  env: TracesEnv | null = readTracesEnv((name) => Deno.env.get(name)?.trim() || null),
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
