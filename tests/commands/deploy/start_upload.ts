import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { startWorker } from "../../../supabase/platform/edge_runtime/worker.ts";
import type { Upload } from "./management_api.ts";

/** A running deployed function. Disposing of it ends it. */
export type RunningUpload = AsyncDisposable & {
  /** The address, without the function's name. */
  url: string;
  /** Ends the function and returns its output. */
  stop(): Promise<string>;
};

/** The way the function is started. */
export type StartOptions = {
  env: Record<string, string>;
  /**
   * The text of a lock file to put next to the import map. A runtime that uses the checkout has one there; the CLI does
   * not upload it.
   */
  lock?: string;
};

/**
 * Starts a function from its upload, on the Deno of the edge runtime, in a folder with only these files; it may read
 * nothing outside.
 */
export async function startUpload(
  { name, entrypoint, importMap, files }: Upload,
  { env, lock }: StartOptions,
): Promise<RunningUpload> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: `deployed-${name}-` }));
  for (const [path, bytes] of files) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeFile(join(folder, path), bytes, { createNew: true });
  }
  const lockFile = join(folder, dirname(entrypoint), "deno.lock");
  if (lock !== undefined) await Deno.writeTextFile(lockFile, lock, { createNew: true });
  const lines: string[] = [];
  const worker = startWorker({
    entryPoint: pathToFileURL(join(folder, entrypoint)).href,
    config: importMap === null ? undefined : join(folder, importMap),
    lock: lock === undefined ? undefined : lockFile,
    env,
    memory: 256,
    folder,
    onLine: (line) => void lines.push(line),
  });

  async function stop(): Promise<string> {
    worker.kill();
    await worker.ended;
    return lines.join("\n");
  }
  async function dispose(): Promise<void> {
    await stop();
    await Deno.remove(folder, { recursive: true });
  }

  try {
    return { url: await worker.origin, stop, [Symbol.asyncDispose]: dispose };
  } catch {
    await dispose();
    throw new Error(`The function ${name} ended before it listened:\n${lines.join("\n")}`);
  }
}
