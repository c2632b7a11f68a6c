import { join } from "deno-std/path/mod.js";
import { cpuTimeOfStat, readCpuTime } from "../../supabase/local/edge_runtime/cpu_time.ts";
import { limitsOf } from "../../supabase/local/edge_runtime/limits.ts";
import { startWorker, type WorkerCode } from "../../supabase/local/edge_runtime/worker.ts";
import { freePort, waitForAnswer } from "../../supabase/local/local_address.ts";
import { isFile } from "../support/is_file.ts";

/** A server in a process of its own. Disposing of it kills it. */
export type MeasuredProcess = AsyncDisposable & {
  url: string;
  /** CPU it has used so far, in milliseconds, all threads; NaN without /proc. */
  cpu(): number;
  /** What the platform counts of it: CPU of the main thread so far, in milliseconds; NaN where it cannot be told. */
  mainThreadCpu(): Promise<number>;
  /** Memory it holds, in MB; NaN without /proc and once it has ended. */
  memory(): number;
  /** The most memory it has held, in MB; NaN without /proc. */
  peakMemory(): number;
  /** Resolves when it has ended, with the signal or code it ended with. */
  ended: Promise<string>;
};

/** Whether the system tells what a process uses. */
export const hasProc = isFile("/proc/self/stat") && isFile("/proc/self/status");

/** What ends the processes that run. */
const running = new Set<() => void>();

// However the bench ends, nothing that it started stays behind.
addEventListener("unload", () => {
  for (const kill of running) kill();
});

/** Starts a file of the project on the Deno of the tools and waits until it answers. */
export async function startServer(file: string): Promise<MeasuredProcess> {
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", join(import.meta.dirname!, "../..", file)],
    env: { DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}` },
    stdin: "null",
    stdout: "null",
  }).spawn();
  const process = measure(`http://127.0.0.1:${port}`, {
    pid: child.pid,
    kill: () => child.kill("SIGKILL"),
    ended: child.status,
  });
  const failure = process.ended.then(() => Promise.reject(new Error(`${file} ended before it answered`)));
  await Promise.race([waitForAnswer(process.url), failure]);
  return process;
}

/**
 * Starts a function, or what it is compared with, on the Deno of the edge runtime, and waits until it listens.
 *
 * @param onComplaint gets every line of its log but those that only inform; by default they are printed
 * @throws {Error} when it ends before it listens.
 */
export async function startMeasuredWorker(
  code: WorkerCode,
  env: Record<string, string>,
  onComplaint: (line: string) => void = console.error,
): Promise<MeasuredProcess> {
  const worker = startWorker({
    ...code,
    // Upstash, if the shell has it, is not what is measured.
    env: { UPSTASH_REDIS_REST_URL: "", ...env },
    memory: limitsOf("free").memory,
    onLine(line) {
      if (!line.startsWith('{"level":"info"')) onComplaint(line);
    },
  });
  return measure(await worker.origin, worker);
}

function measure(
  url: string,
  { pid, kill, ended: status }: { pid: number; kill: () => void; ended: Promise<Deno.CommandStatus> },
): MeasuredProcess {
  running.add(kill);
  const ended = status.then(({ code, signal }) => {
    running.delete(kill);
    return signal ?? `code ${code}`;
  });
  return {
    url,
    cpu: () => cpuOf(pid),
    mainThreadCpu: async () => await readCpuTime(pid) ?? NaN,
    memory: () => running.has(kill) ? memoryOf(pid, "VmRSS") : NaN,
    peakMemory: () => peakMemoryOf(pid),
    async [Symbol.asyncDispose]() {
      if (running.has(kill)) kill();
      await ended;
    },
    ended,
  };
}

/** CPU that a process has used so far, in milliseconds, all threads; NaN without /proc. */
function cpuOf(pid: number): number {
  return hasProc ? cpuTimeOfStat(Deno.readTextFileSync(`/proc/${pid}/stat`)) : NaN;
}

/** The most memory that a process has held, in MB; NaN without /proc. */
export function peakMemoryOf(pid: number): number {
  return memoryOf(pid, "VmHWM");
}

function memoryOf(pid: number, name: string): number {
  const status = hasProc ? Deno.readTextFileSync(`/proc/${pid}/status`) : "";
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024;
}
