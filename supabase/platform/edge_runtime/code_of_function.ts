import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot } from "../state.ts";
import type { WorkerCode } from "./worker.ts";

/** A function in `functions/`, with the packages in its own `deno.json` and lock file. */
export function codeOfFunction(name: string): WorkerCode {
  const folder = join(projectRoot, "functions", name);
  return {
    entryPoint: pathToFileURL(join(folder, "index.ts")).href,
    config: join(folder, "deno.json"),
    lock: join(folder, "deno.lock"),
  };
}
