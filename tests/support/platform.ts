import { codeOfFunction } from "../../supabase/platform/edge_runtime/worker.ts";
import {
  type EdgeRuntime,
  startEdgeRuntime,
  type WorkerEvent,
} from "../../supabase/platform/edge_runtime/edge_runtime.ts";
import { limitsOf, type WorkerLimits } from "../../supabase/platform/edge_runtime/limits.ts";
import { createGateway, type Target } from "../../supabase/platform/gateway.ts";
import { listFunctions } from "../../supabase/platform/list_functions.ts";
import { serve } from "./serve.ts";
import { projectVariable } from "./service.ts";

/** The whole project as on the platform: all functions under its limits, behind one address. */
export type Platform = AsyncDisposable & {
  /** The address of the functions: `${url}/chat` … */
  url: string;
  /** The events of workers so far. */
  events: WorkerEvent[];
  /** The log lines so far, by the function's name. */
  lines: [functionName: string, line: string][];
};

/** Starts it with the Supabase of the test run and the limits of the Free plan; `limits` replaces some of them. */
export function startPlatform(env: Record<string, string> = {}, limits: Partial<WorkerLimits> = {}): Platform {
  const events: WorkerEvent[] = [];
  const lines: Platform["lines"] = [];
  const names = listFunctions();
  // Functions get the address at which they can call each other.
  const targets = names.map((name): [string, Target] => [name, (path, request) => runtime.fetch(name, path, request)]);
  const project = serve(
    createGateway({ functions: Object.fromEntries(targets), backend: projectVariable("SUPABASE_URL") }),
  );
  const runtime: EdgeRuntime = startEdgeRuntime({
    functions: Object.fromEntries(names.map((name) => [name, codeOfFunction(name)])),
    env: { ...env, SUPABASE_URL: project.url },
    limits: { ...limitsOf("free"), ...limits },
    onEvent: (event) => void events.push(event),
    onLine: (name, line) => void lines.push([name, line]),
  });
  return {
    url: `${project.url}/functions/v1`,
    events,
    lines,
    async [Symbol.asyncDispose]() {
      await runtime[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}
