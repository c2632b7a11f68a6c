import { join } from "node:path";
import { projectRoot } from "../../supabase/platform/state.ts";
import { runCommand } from "./run_command.ts";

/** The last version that runs on Node.js 20 too. */
const version = "0.121.20";
/** The database of promptfoo, whose program for this machine is one of its optional packages. */
const libsql = "0.5.29";

/** A result of promptfoo for a test. */
export type PromptfooResult = {
  /** The place of the test in the file. */
  testIdx: number;
  success: boolean;
  error?: string | null;
  response?: { output?: unknown };
};

/**
 * Installs promptfoo outside the project's own packages, once on a machine, without its optional packages and scripts.
 *
 * @returns the path of its program
 */
export async function installPromptfoo(): Promise<string> {
  const caches = join(projectRoot, "node_modules/.cache");
  const folder = join(caches, `promptfoo-${version}`);
  const program = join(folder, "node_modules/promptfoo/dist/src/entrypoint.js");
  if (await Deno.stat(program).then(() => true, () => false)) return program;
  await Deno.mkdir(caches, { recursive: true });
  const unfinished = await Deno.makeTempDir({ dir: caches });
  await Deno.writeTextFile(join(unfinished, "package.json"), '{ "private": true }');
  const { code, stderr } = await runCommand("npm", [
    ...["install", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"],
    `promptfoo@${version}`,
    `@libsql/${nameLibsql()}@${libsql}`,
  ], { cwd: unfinished });
  if (code !== 0) throw new Error(`promptfoo cannot be installed:\n${stderr}`);
  await Deno.rename(unfinished, folder);
  return program;
}

function nameLibsql(): string {
  const arch = Deno.build.arch === "aarch64" ? "arm64" : "x64";
  if (Deno.build.os === "darwin") return `darwin-${arch}`;
  return Deno.build.os === "windows" ? "win32-x64-msvc" : `linux-${arch}-gnu`;
}

/** Lets promptfoo run the configuration in a folder, with nothing but this machine to talk to. */
export async function runPromptfoo(folder: string, apiKey: string): Promise<PromptfooResult[]> {
  const program = await installPromptfoo();
  const options = ["--config", "promptfooconfig.yaml", "--output", "results.json", "--max-concurrency", "2"];
  const { stdout, stderr } = await runCommand("node", [
    program,
    "eval",
    ...options,
    ...["--no-cache", "--no-write", "--no-table", "--no-progress-bar"],
  ], {
    cwd: folder,
    clearEnv: true,
    env: {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: folder,
      PROMPTFOO_CONFIG_DIR: join(folder, ".promptfoo"),
      OPENAI_API_KEY: apiKey,
      PROMPTFOO_DISABLE_TELEMETRY: "1",
      PROMPTFOO_DISABLE_UPDATE: "1",
      PROMPTFOO_DISABLE_REMOTE_GENERATION: "1",
      PROMPTFOO_DISABLE_SHARING: "1",
      // It reports even that it reports nothing: there is no such proxy.
      HTTPS_PROXY: "http://127.0.0.1:9",
      NO_PROXY: "127.0.0.1,localhost",
    },
  });
  const results = await Deno.readTextFile(join(folder, "results.json")).catch(() => {
    throw new Error(`promptfoo has no results:\n${stdout}\n${stderr}`);
  });
  return JSON.parse(results).results.results;
}
