import { join } from "node:path";
import { deadline } from "../../shared/libs/base/std/async.ts";
import { readLines } from "../../supabase/platform/child_process.ts";
import { projectRoot } from "../../supabase/platform/state.ts";
import { isFile } from "./is_file.ts";
import { runCommand } from "./run_command.ts";

/** Copies the files that git would put into a clone, in their present state, to a new folder. */
export async function copyProject(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "fresh-clone-" });
  const files = await runCommand("git", ["-C", projectRoot, "ls-files", "-co", "--exclude-standard", "-z"]);
  const existing = files.stdout.split("\0").filter((file) => file !== "" && isFile(join(projectRoot, file)));
  for (const file of existing) {
    await Deno.mkdir(join(folder, file, ".."), { recursive: true });
    await Deno.copyFile(join(projectRoot, file), join(folder, file));
  }
  return folder;
}

/** Runs `npm start` in its own process group. */
export function npmStart(folder: string, env: Record<string, string>, args: string[] = []) {
  const process = new Deno.Command("npm", {
    args: ["start", "--", ...args],
    cwd: folder,
    // Without the settings of this machine for the model and the limits, and without pauses in what the model says.
    env: {
      OPENAI_API_KEY: "",
      OPENAI_BASE_URL: "",
      UPSTASH_REDIS_REST_URL: "",
      OFFLINE_WORDS_PER_SECOND: "0",
      ...env,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
  const lines: string[] = [];
  const waiting: (() => void)[] = [];
  const read = [process.stdout, process.stderr].map((output) =>
    readLines(output, (line) => {
      lines.push(line);
      for (const wake of waiting.splice(0)) wake();
    })
  );
  const ended = Promise.all([process.status, ...read]).then(([status]) => {
    for (const wake of waiting.splice(0)) wake();
    return status;
  });
  let hasEnded = false;
  ended.then(() => hasEnded = true);
  return {
    output: () => lines.join("\n"),
    ended,
    /** Waits for a line; fails when the process ends without it. */
    async sees(pattern: RegExp): Promise<string> {
      while (true) {
        const line = lines.find((line) => pattern.test(line));
        if (line !== undefined) return line;
        if (hasEnded) throw new Error(`npm start ended without ${pattern}:\n${lines.join("\n")}`);
        await deadline(new Promise<void>((resolve) => waiting.push(resolve)), 180_000);
      }
    },
    /** Sends a signal to the whole process group, as Ctrl-C does, unless it has ended. */
    signal(signal: Deno.Signal) {
      if (!hasEnded) Deno.kill(-process.pid, signal);
    },
  };
}

/** Reads the variables that `npm start` has written. */
export async function readEnvFile(folder: string): Promise<Record<string, string>> {
  const text = await Deno.readTextFile(join(folder, ".env.local"));
  return Object.fromEntries(text.trim().split("\n").map((line) => line.split(/=(.*)/s, 2)));
}
