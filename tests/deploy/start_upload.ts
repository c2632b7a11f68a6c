import { dirname, join, toFileUrl } from "deno-std/path/mod.js";
import { edgeDeno } from "../../supabase/local/edge_runtime/edge_deno.ts";
import { freePort, waitForAnswer } from "../../supabase/local/local_address.ts";
import type { Upload } from "./management_api.ts";

/** A deployed function that runs. Disposing of it ends it. */
export type RunningUpload = AsyncDisposable & {
  /** Its address, without its name. */
  url: string;
  /** Ends it and returns all that it printed. */
  stop(): Promise<string>;
};

/** How it is started. */
export type StartOptions = {
  env: Record<string, string>;
  /**
   * The text of a lock file to put beside its import map, as it lies there when Docker bundles. The CLI does not upload
   * it to where the platform bundles.
   */
  lock?: string;
};

const server = join(import.meta.dirname!, "serve_upload.ts");

/**
 * Starts a function from what was uploaded of it, on the Deno of the edge runtime, in a folder that holds nothing else
 * and outside of which it can read nothing.
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
  const port = freePort();
  const child = new Deno.Command(edgeDeno, {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      importMap === null ? "--no-config" : `--config=${importMap}`,
      ...(lock === undefined ? ["--no-lock"] : [`--lock=${lockFile}`, "--frozen"]),
      "--allow-net",
      "--allow-env",
      "--allow-sys",
      `--allow-read=${folder}`,
      server,
      toFileUrl(join(folder, entrypoint)).href,
      String(port),
    ],
    cwd: folder,
    env: { ...env, DENO_NO_PACKAGE_JSON: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const printed = Promise.all([child.stdout, child.stderr].map((output) => new Response(output).text()))
    .then((texts) => texts.join("\n"));
  let hasEnded = false;
  const ended = child.status.then(() => hasEnded = true);

  async function stop(): Promise<string> {
    if (!hasEnded) child.kill("SIGKILL");
    await ended;
    return await printed;
  }
  async function dispose(): Promise<void> {
    await stop();
    await Deno.remove(folder, { recursive: true });
  }

  const url = `http://127.0.0.1:${port}`;
  const failure = ended.then(async () => {
    throw new Error(`The function ${name} ended before it answered:\n${await printed}`);
  });
  try {
    await Promise.race([waitForAnswer(`${url}/${name}`), failure]);
  } catch (error) {
    await dispose();
    throw error;
  }
  return { url, stop, [Symbol.asyncDispose]: dispose };
}
