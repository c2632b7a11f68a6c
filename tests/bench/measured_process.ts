import { join } from "deno-std/path/mod.js";
import { TextLineStream } from "deno-std/streams/text_line_stream.js";
import { freePort, waitForAnswer } from "../../supabase/local/local_address.ts";
import { isFile } from "../support/is_file.ts";

/** A server in a process of its own. Disposing of it kills it. */
export type MeasuredProcess = AsyncDisposable & {
  port: number;
  url: string;
  /** CPU it has used so far, in milliseconds, all threads; NaN without /proc. */
  cpu(): number;
  /** Memory it holds, in MB; NaN without /proc and once it has ended. */
  memory(): number;
  /** The most memory it has held, in MB; NaN without /proc. */
  peakMemory(): number;
  /** Resolves when it has ended, with the signal or code it ended with. */
  ended: Promise<string>;
};

/** Where a process writes its warnings and errors. */
type Output = {
  /** Is given every line; by default they go where the caller's go. */
  onErrorLine?: (line: string) => void;
};

/** Whether the system tells what a process uses. */
export const hasProc = isFile("/proc/self/stat") && isFile("/proc/self/status");

/** Clock ticks a second in /proc; 100 on every Linux that Deno runs on. */
const ticksPerSecond = 100;

const running = new Set<Deno.ChildProcess>();

// However the bench ends, nothing that it started stays behind.
addEventListener("unload", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a file of the project with Deno, and does not wait for it. */
export function startProcess(
  file: string,
  env: Record<string, string> = {},
  { onErrorLine }: Output = {},
): MeasuredProcess {
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", join(import.meta.dirname!, "../..", file)],
    // Upstash, if the shell has it, is not what is measured.
    env: { UPSTASH_REDIS_REST_URL: "", ...env, DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}` },
    stdin: "null",
    stdout: "null",
    stderr: onErrorLine ? "piped" : "inherit",
  }).spawn();
  running.add(child);
  const reading = onErrorLine && readLines(child.stderr, onErrorLine);
  const ended = child.status.then(async ({ code, signal }) => {
    running.delete(child);
    await reading;
    return signal ?? `code ${code}`;
  });
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    cpu: () => cpuOf(child.pid),
    memory: () => running.has(child) ? memoryOf(child.pid, "VmRSS") : NaN,
    peakMemory: () => peakMemoryOf(child.pid),
    async [Symbol.asyncDispose]() {
      if (running.has(child)) child.kill("SIGKILL");
      await ended;
    },
    ended,
  };
}

/** Starts a file of the project and waits until it answers. */
export async function startServer(
  file: string,
  env: Record<string, string> = {},
  output?: Output,
): Promise<MeasuredProcess> {
  const process = startProcess(file, env, output);
  const failure = process.ended.then(() => Promise.reject(new Error(`${file} ended before it answered`)));
  await Promise.race([waitForAnswer(process.url), failure]);
  return process;
}

/** CPU that a process has used so far, in milliseconds, all threads; NaN without /proc. */
export function cpuOf(pid: number): number {
  if (!hasProc) return NaN;
  // The name of the process, in brackets, may hold blanks. User and system time are fields 14 and 15.
  const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).replace(/^.*\) /s, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 1000 / ticksPerSecond;
}

/** The most memory that a process has held, in MB; NaN without /proc. */
export function peakMemoryOf(pid: number): number {
  return memoryOf(pid, "VmHWM");
}

function memoryOf(pid: number, name: string): number {
  const status = hasProc ? Deno.readTextFileSync(`/proc/${pid}/status`) : "";
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024;
}

async function readLines(output: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const lines: ReadableStream<string> = output.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
  for await (const line of lines) onLine(line);
}
