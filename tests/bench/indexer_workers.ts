import { toFileUrl } from "deno-std/path/mod.js";
import { startEdgeRuntime, type WorkerEvent } from "../../supabase/local/edge_runtime/edge_runtime.ts";
import { limitsOf } from "../../supabase/local/edge_runtime/limits.ts";
import type { BackendProxy } from "./backend_proxy.ts";
import type { Environment } from "./environment.ts";

/** The function `indexer` under the platform's limits: a worker of it hands over to the next. */
export type IndexerWorkers = AsyncDisposable & {
  url: string;
  /** What has happened to workers; complete once it is disposed of. */
  events: WorkerEvent[];
};

/** Starts it on a backend, through which it may also call itself. No worker starts before it is asked. */
export async function startIndexerWorkers(environment: Environment, backend: BackendProxy): Promise<IndexerWorkers> {
  const events: WorkerEvent[] = [];
  let isClosing = false;
  const runtime = startEdgeRuntime({
    functions: { indexer: { entryPoint: toFileUrl((await environment.bundleOf("indexer")).file).href } },
    env: { ...environment.env, SUPABASE_URL: backend.url },
    limits: limitsOf("free"),
    onEvent: (event) => void events.push(event),
    onLine(_name, line) {
      // Who finds nobody to hand over to at the end has nothing to hand over.
      if (!isClosing && !line.startsWith('{"level":"info"')) console.error(line);
    },
  });
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => runtime.fetch("indexer", "/indexer", request),
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    events,
    async [Symbol.asyncDispose]() {
      isClosing = true;
      await runtime[Symbol.asyncDispose]();
      await server.shutdown();
    },
  };
}
