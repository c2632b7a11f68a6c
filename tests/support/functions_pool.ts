import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startWorker, type Worker } from "../../supabase/platform/edge_runtime/worker.ts";
import { projectRoot } from "../../supabase/platform/state.ts";
import { serve } from "./serve.ts";

/** Processes that run functions for tests, each for one test at a time. */
export type FunctionsPool = AsyncDisposable & {
  /** The address of the pool. */
  url: string;
};

/**
 * Starts a pool from which tests take hosts (`POST /take`) and to which they return them (`POST /give`, with the
 * address). The hosts use the packages of a lock file.
 */
export function startFunctionsPool({ lock }: { lock: string }): FunctionsPool {
  const workers: Worker[] = [];
  const free: string[] = [];

  async function take(): Promise<string> {
    const origin = free.pop();
    if (origin !== undefined) return origin;
    const worker = startWorker({
      entryPoint: pathToFileURL(join(import.meta.dirname!, "functions_host.ts")).href,
      config: join(projectRoot, "deno.json"),
      lock,
      env: {},
      memory: 1_024,
      onLine: (line) => console.error(line),
    });
    workers.push(worker);
    return await worker.origin;
  }

  const server = serve(async (request) => {
    if (new URL(request.url).pathname === "/take") return new Response(await take());
    free.push(await request.text());
    return new Response();
  });
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      for (const worker of workers) worker.kill();
      await Promise.all(workers.map(({ ended }) => ended));
    },
  };
}
