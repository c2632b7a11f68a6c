import { delay } from "../../shared/libs/base/std/async.ts";
import { TextLineStream } from "../commands/std.ts";
import { warn, watchTrouble } from "./terminal.ts";

/** A process that is restarted whenever it ends. */
interface ChildProcess {
  /** Ends the process, which cleans up first. */
  stop(): Promise<void>;
}

type ChildOptions = {
  name: string;
  args: string[];
  env: Record<string, string>;
  /** The file for every line that it prints. */
  logFile: string;
  onLine?: (line: string) => void;
  /** Called whenever it ends without `stop`. */
  onExit: (code: number) => void;
};

/** The time that a process has to clean up, in milliseconds. */
const patience = 5_000;

/** Runs Deno in a process, and restarts it if it ends on its own. Closing its input makes it stop: see `backend.ts`. */
export function startChildProcess({ name, args, env, logFile, onLine, onExit }: ChildOptions): ChildProcess {
  const log = openLogFile(logFile, name);
  const show = (line: string) => (onLine?.(line), log(line));
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
      // Otherwise, Ctrl-C in the terminal would end it before it can clean up.
      detached: true,
    }).spawn();
    for (const output of [spawned.stdout, spawned.stderr]) void readLines(output, show);
    return spawned;
  }

  async function keepRunning() {
    while (true) {
      const { code } = await child.status;
      if (!isWanted) return;
      onExit(code);
      // The pause keeps a process that cannot start from using all the CPU.
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

/** Calls `onLine` with every line that a process prints, and settles after the last one. */
export async function readLines(
  output: ReadableStream<Uint8Array<ArrayBuffer>>,
  onLine: (line: string) => unknown,
): Promise<void> {
  const lines = output.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
  for await (const line of lines) await onLine(line);
}

const trouble = watchTrouble("write the logs");

/**
 * Empties a log file, and returns a function that writes a process's lines to it. Warnings and errors are also shown at
 * the terminal, with the name of the process. The function never rejects: if the folder is gone or the disk is full,
 * lines are lost, and this is reported once for all files.
 */
export function openLogFile(path: string, name: string): (line: string) => Promise<void> {
  // The lines of an earlier start are not needed, and may quote users' messages.
  let written = write("", { mode: 0o600 });
  async function write(text: string, options: Deno.WriteFileOptions): Promise<void> {
    try {
      await Deno.writeTextFile(path, text, options);
      // Nothing can always be written, on a full disk too.
      if (text !== "") trouble.worked(path);
    } catch (error) {
      trouble.failed(path, error);
    }
  }
  return (line) => {
    if (/^\{"level":"(?:warn|error)"/.test(line)) warn(`[${name}] ${line}`);
    return written = written.then(() => write(`${line}\n`, { append: true }));
  };
}
