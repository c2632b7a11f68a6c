import { codeOfFunction, startWorker } from "../../supabase/platform/edge_runtime/worker.ts";

/** A function in its own process. */
export type FunctionProcess = AsyncDisposable & {
  /** The address, without the function's name: `${url}/chat`. */
  url: string;
  /** The process id. */
  pid: number;
  /** Ends the process and returns its output. */
  kill(signal: Deno.Signal): Promise<string>;
};

/** Thrown when a function ends before it listens. The message is its output. */
export class FunctionDidNotStart extends Error {
  override name = "FunctionDidNotStart";
}

/**
 * Starts a function from its entry point, on the Deno that it is deployed on.
 *
 * @throws {FunctionDidNotStart}
 */
export async function startFunctionProcess(name: string, env: Record<string, string> = {}): Promise<FunctionProcess> {
  const lines: string[] = [];
  const worker = startWorker({ ...codeOfFunction(name), env, memory: 256, onLine: (line) => void lines.push(line) });
  async function kill(signal: Deno.Signal) {
    worker.kill(signal);
    await worker.ended;
    return lines.join("\n");
  }
  try {
    const url = await worker.origin;
    return { url, pid: worker.pid, kill, [Symbol.asyncDispose]: async () => void await kill("SIGKILL") };
  } catch {
    throw new FunctionDidNotStart(lines.join("\n"));
  }
}
