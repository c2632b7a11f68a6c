import { delay } from "deno-std/async/delay.js";
import { openLogFile } from "./log_file.ts";
import { readLines } from "./read_lines.ts";

/** A process that is kept running. */
export interface ChildProcess {
  /** Ends it, after it has put its things in order. */
  stop(): Promise<void>;
}

export type ChildOptions = {
  name: string;
  args: string[];
  env: Record<string, string>;
  /** Gets every line that it prints. */
  logFile: string;
  /** Told of each exit that nobody asked for. */
  onExit: (code: number) => void;
};

/** How long a process may take to put its things in order. */
const patience = 5_000;

/**
 * Runs Deno with `args` in a process of its own and starts it again when it ends unasked. Its end of standard input
 * is how it learns that it should stop; see `stop_with_parent.ts`.
 */
export function startChildProcess({ name, args, env, logFile, onExit }: ChildOptions): ChildProcess {
  const log = openLogFile(logFile, name);
  let isWanted = true;
  let child = spawn();
  const ended = keepRunning();

  function spawn() {
    const spawned = new Deno.Command(Deno.execPath(), {
      args,
      env,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      // Ctrl-C in a terminal goes to everything attached to it; these end when they are told to.
      detached: true,
    }).spawn();
    for (const output of [spawned.stdout, spawned.stderr]) void readLines(output, log);
    return spawned;
  }

  async function keepRunning() {
    while (true) {
      const { code } = await child.status;
      if (!isWanted) return;
      onExit(code);
      // One that cannot start must not keep the machine busy.
      await delay(500);
      if (!isWanted) return;
      child = spawn();
    }
  }

  return {
    async stop() {
      isWanted = false;
      const timer = setTimeout(() => child.kill("SIGKILL"), patience);
      await child.stdin.close().catch(() => {});
      await ended;
      clearTimeout(timer);
    },
  };
}
