import { pathToFileURL } from "node:url";
import { startEdgeRuntime, type WorkerEvent } from "../../supabase/platform/edge_runtime/edge_runtime.ts";
import { limitsOf } from "../../supabase/platform/edge_runtime/limits.ts";
import { serve } from "../support/serve.ts";
import type { BackendProxy } from "./backend_proxy.ts";
import type { Environment } from "./environment.ts";

/** The function `indexer` under the platform's limits: each worker hands over to the next. */
export type IndexerWorkers = AsyncDisposable & {
  url: string;
  /** The events of the workers; complete after disposing. */
  events: WorkerEvent[];
};

/** Starts it with a backend, through which it also calls itself. The first worker starts with the first request. */
export async function startIndexerWorkers(environment: Environment, backend: BackendProxy): Promise<IndexerWorkers> {
  const events: WorkerEvent[] = [];
  let isClosing = false;
  const runtime = startEdgeRuntime({
    functions: { indexer: { entryPoint: pathToFileURL((await environment.bundleOf("indexer")).file).href } },
    env: { ...environment.env, SUPABASE_URL: backend.url },
    limits: limitsOf("free"),
    onEvent: (event) => void events.push(event),
    onLine(_name, line) {
      // While closing, handing over fails without harm, since there is no work left.
      if (!isClosing && !line.startsWith('{"level":"info"')) console.error(line);
    },
  });
  const server = serve((request) => runtime.fetch("indexer", "/indexer", request));
  return {
    url: server.url,
    events,
    async [Symbol.asyncDispose]() {
      isClosing = true;
      await runtime[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
