import { join } from "node:path";
import { cpuTimeOfStat, readCpuTime } from "../../supabase/platform/edge_runtime/cpu_time.ts";
import { limitsOf } from "../../supabase/platform/edge_runtime/limits.ts";
import { startWorker, type WorkerCode } from "../../supabase/platform/edge_runtime/worker.ts";
import { freePort, waitForAnswer } from "../../supabase/platform/local_address.ts";
import { isFile } from "../support/is_file.ts";

/** A server in its own process. Disposing of it kills it. */
export type MeasuredProcess = AsyncDisposable & {
  url: string;
  /** CPU time used so far by all threads, in milliseconds; NaN without /proc. */
  cpu(): number;
  /** The same without steps of 10 ms, and without threads that have ended; NaN if it is unknown. */
  exactCpu(): number;
  /** CPU time used so far by the main thread, which the platform counts, in milliseconds; NaN when it is unknown. */
  mainThreadCpu(): Promise<number>;
  /** Its memory in MB; NaN without /proc and after it has ended. */
  memory(): number;
  /** Its peak memory in MB; NaN without /proc. */
  peakMemory(): number;
  /** Resolves when it has ended, with its signal or exit code. */
  ended: Promise<string>;
};

/** True if the system reports the resources of a process. */
export const hasProc = isFile("/proc/self/stat") && isFile("/proc/self/status");

/** The command that runs a function. */
export type MeasuredOptions = {
  /** The program that runs it; by default the Deno of the edge runtime. */
  deno?: string;
  /** Called with every log line above the level of info; by default they are printed. */
  onComplaint?: (line: string) => void;
};

/** Functions that end the running processes. */
const running = new Set<() => void>();

// However the bench ends, all processes that it started end too.
addEventListener("unload", () => {
  for (const kill of running) kill();
});

/** Starts a file of the project on the Deno of the tools, with variables, and waits until it answers. */
export async function startServer(file: string, env: Record<string, string> = {}): Promise<MeasuredProcess> {
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", join(import.meta.dirname!, "../..", file)],
    env: { ...env, PORT: String(port) },
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
 * Starts a function or a baseline, and waits until it listens.
 *
 * @throws {Error} when it ends before it listens.
 */
export async function startMeasuredWorker(
  code: WorkerCode,
  env: Record<string, string>,
  { deno, onComplaint = console.error }: MeasuredOptions = {},
): Promise<MeasuredProcess> {
  const worker = startWorker({
    ...code,
    deno,
    // Without Upstash, which the shell may have configured: it is not measured here.
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
    exactCpu: () => exactCpuOf(pid),
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

/** CPU time that all threads of a process have used so far, in milliseconds; NaN without /proc. */
function cpuOf(pid: number): number {
  return hasProc ? cpuTimeOfStat(Deno.readTextFileSync(`/proc/${pid}/stat`)) : NaN;
}

/** The CPU time that the threads of a process have used so far, in milliseconds; NaN if it is unknown. */
function exactCpuOf(pid: number): number {
  // Some kernels keep no such statistics.
  if (!isFile("/proc/self/schedstat")) return NaN;
  const nanoseconds = Array.from(Deno.readDirSync(`/proc/${pid}/task`), ({ name }) => {
    return Number(Deno.readTextFileSync(`/proc/${pid}/task/${name}/schedstat`).split(" ")[0]);
  });
  return nanoseconds.reduce((sum, used) => sum + used, 0) / 1e6;
}

/** The peak memory of a process in MB; NaN without /proc. */
export function peakMemoryOf(pid: number): number {
  return memoryOf(pid, "VmHWM");
}

function memoryOf(pid: number, name: string): number {
  const status = hasProc ? Deno.readTextFileSync(`/proc/${pid}/status`) : "";
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024;
}
