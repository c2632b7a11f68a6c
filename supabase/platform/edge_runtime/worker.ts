import { join } from "node:path";
import { readLines } from "../child_process.ts";
import { findEdgeDeno } from "./edge_deno.ts";
import { pathToFileURL } from "node:url";
import { projectRoot } from "../state.ts";

/** The code of a function. */
export type WorkerCode = {
  /** Address of its entry point, `file://…`. */
  entryPoint: string;
  /** The path of the `deno.json` with its packages; left out for a function that contains them. */
  config?: string;
  /** The path of the lock file of its packages, if it has one. */
  lock?: string;
};

/** The program that a worker runs, and its settings. */
type WorkerOptions = WorkerCode & {
  /** The program that runs it; by default the Deno of the edge runtime. */
  deno?: string;
  env: Record<string, string>;
  /** MB of memory: heap and buffers. */
  memory: number;
  /** The only folder that it may read, and works in; by default, it may read everything that this process may. */
  folder?: string;
  onLine: (line: string) => void;
  /** Called, maybe more than once, when it uses more than that. It runs until it is killed. */
  onOutOfMemory?: () => void;
};

/** A function in its own process, on the Deno of the edge runtime. */
export type Worker = {
  pid: number;
  /** Its address, `http://127.0.0.1:…`. Rejects when it ends before it listens. */
  origin: Promise<string>;
  /** Dispatches `beforeunload` in it. */
  announceEnd(reason: string): void;
  /** Makes it end when everything that was given to `waitUntil` is done; it does not wait for replies. */
  finish(): void;
  kill(signal?: Deno.Signal): void;
  /** Resolves with the status at its end, after `onLine` has received the last line. */
  ended: Promise<Deno.CommandStatus>;
};

const main = join(import.meta.dirname!, "worker_main.ts");

/** Starts a worker. */
export function startWorker(
  { deno, entryPoint, config, lock, env, memory, folder, onLine, onOutOfMemory = () => {} }: WorkerOptions,
): Worker {
  const child = new Deno.Command(deno ?? findEdgeDeno(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      // Newer versions than that of the functions ask how to tell that a client has left.
      ...(deno === undefined ? [] : ["--unstable-no-legacy-abort"]),
      // The edge runtime does not cache compiled code either: each of its workers compiles again.
      "--no-code-cache",
      config === undefined ? "--no-config" : `--config=${config}`,
      ...(lock === undefined ? ["--no-lock"] : [`--lock=${lock}`, "--frozen"]),
      // The worker measures heap and buffers together, from time to time; this stops a heap that grows in between.
      `--v8-flags=--max-old-space-size=${memory}`,
      "--allow-net",
      "--allow-env",
      "--allow-sys=hostname",
      folder === undefined ? "--allow-read" : `--allow-read=${folder}`,
      main,
      entryPoint,
      String(memory),
    ],
    cwd: folder,
    env: { ...edgeDenoEnv, ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    // Otherwise, Ctrl-C in the terminal would end it immediately, with its requests.
    detached: true,
  }).spawn();
  const commands = child.stdin.getWriter();
  const say = (command: string) => void commands.write(new TextEncoder().encode(`${command}\n`)).catch(() => {});
  const listening = Promise.withResolvers<string>();
  // It may reject while nothing waits for it.
  listening.promise.catch(() => {});
  let isListening = false;

  function hear(line: string): void {
    const [, port] = isListening ? [] : /^listening (\d+)$/.exec(line) ?? [];
    if (line === "out of memory") onOutOfMemory();
    else if (port === undefined) onLine(line);
    else {
      isListening = true;
      listening.resolve(`http://127.0.0.1:${port}`);
    }
  }

  const printed = Promise.all([readLines(child.stdout, hear), readLines(child.stderr, hear)]);
  const ended = child.status.then(async (status) => {
    await printed;
    await commands.close().catch(() => {});
    listening.reject(new Error(`The function exited with code ${status.code} before it accepted connections`));
    return status;
  });
  return {
    pid: child.pid,
    origin: listening.promise,
    announceEnd: (reason) => say(`beforeunload ${reason}`),
    finish: () => say("finish early_drop"),
    kill(signal = "SIGKILL") {
      try {
        child.kill(signal);
      } catch {
        // It has ended already.
      }
    },
    ended,
  };
}

/** The environment that the Deno of the edge runtime needs. */
export const edgeDenoEnv: Record<string, string> = {
  // package.json has only tools, which functions do not use.
  DENO_NO_PACKAGE_JSON: "1",
  DENO_NO_UPDATE_CHECK: "1",
  // The certificate of a TLS proxy is only in the system's store.
  DENO_TLS_CA_STORE: "mozilla,system",
};

/** A function in `functions/`, with the packages in its own `deno.json` and lock file. */
export function codeOfFunction(name: string): WorkerCode {
  const folder = join(projectRoot, "functions", name);
  return {
    entryPoint: pathToFileURL(join(folder, "index.ts")).href,
    config: join(folder, "deno.json"),
    lock: join(folder, "deno.lock"),
  };
}
