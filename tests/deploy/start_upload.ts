import { dirname, join } from "deno-std/path/mod.js";
import { freePort, waitForAnswer } from "../../supabase/local/local_address.ts";
import type { Upload } from "./management_api.ts";

/** A deployed function that runs. Disposing of it ends it. */
export type RunningUpload = AsyncDisposable & {
  /** Its address, without its name. */
  url: string;
  /** Ends it and returns all that it printed. */
  stop(): Promise<string>;
};

/**
 * Starts a function from what was uploaded of it, in a folder that holds nothing else and outside of which it can read
 * nothing. `deno.json` is its configuration, and there is no lock file, as on the platform.
 */
export async function startUpload(
  { name, entrypoint, importMap, files }: Upload,
  env: Record<string, string>,
): Promise<RunningUpload> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: `deployed-${name}-` }));
  for (const [path, bytes] of files) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeFile(join(folder, path), bytes, { createNew: true });
  }
  const config = importMap === null ? "--no-config" : `--config=${importMap}`;
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      config,
      "--no-lock",
      "--allow-net",
      "--allow-env",
      "--allow-sys",
      `--allow-read=${folder}`,
      entrypoint,
    ],
    cwd: folder,
    env: { ...env, DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}` },
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
