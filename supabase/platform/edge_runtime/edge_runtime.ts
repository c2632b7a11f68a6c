import { proxy } from "hono/proxy";
import { abortable, delay } from "../../../shared/libs/base/std/async.ts";
import { watchCpu } from "./cpu_time.ts";
import type { WorkerLimits } from "./limits.ts";
import { startWorker, type Worker, type WorkerCode } from "./worker.ts";

/** Something that happened to a worker, for the log. */
export type WorkerEvent = {
  event: "worker_started" | "worker_retired" | "worker_killed" | "worker_ended" | "worker_crashed";
  function: string;
  /** The process ID. */
  worker: number;
  /** The reason: `cpu_time`, `wall_clock`, `memory`, `replaced`, `shutdown`; for a crash, its exit code. */
  reason?: string;
  /** CPU time it has used, in milliseconds. */
  cpu_ms?: number;
  /** Requests it was given. */
  requests?: number;
};

export type EdgeRuntimeOptions = {
  /** The code of each function, by its name. */
  functions: Record<string, WorkerCode>;
  /** Environment of every function. */
  env: Record<string, string>;
  limits: WorkerLimits;
  /** The number of workers that share the requests of a function, without those that only finish theirs. */
  workers?: number;
  onEvent: (event: WorkerEvent) => void;
  /** Gets every line that a function prints. */
  onLine: (functionName: string, line: string) => void;
};

/** Runs functions under the rules of Supabase's edge runtime, each worker in a process of its own. */
export type EdgeRuntime = AsyncDisposable & {
  /** Passes a request to a worker of a function; the path begins with the name of the function. Never rejects. */
  fetch(functionName: string, path: string, request: Request): Promise<Response>;
  /** Starts a worker, and waits until it listens. @throws {Error} when it cannot start. */
  boot(functionName: string): Promise<void>;
  /** Gives new requests to new workers; the present ones finish their requests. */
  replace(functionName: string): void;
};

/** The part of a hard limit after which `beforeunload` announces the end. */
const announcement = 0.9;
/** The time that a worker has to finish its requests when the runtime ends, in milliseconds. */
const patience = 5_000;

/**
 * Starts such a runtime. Its rules are those of the edge runtime's per-worker policy. A worker that has used half of
 * its wall clock, or its soft limit of CPU time, is retired: it gets no new requests, and ends when it has finished its
 * own. Past the hard limits, it is killed.
 */
export function startEdgeRuntime(options: EdgeRuntimeOptions): EdgeRuntime {
  const { functions, workers = 1 } = options;
  const active = new Map<string, SupervisedWorker[]>(Object.keys(functions).map((name) => [name, []]));
  const all = new Set<SupervisedWorker>();
  let isClosing = false;

  function start(name: string): SupervisedWorker {
    const worker = superviseWorker(name, options, {
      onRetired: () => active.set(name, active.get(name)!.filter((each) => each !== worker)),
    });
    active.get(name)!.push(worker);
    all.add(worker);
    void worker.ended.then(() => all.delete(worker));
    return worker;
  }

  /** The least busy worker, or a new one as long as all are busy and there may be more. */
  function pick(name: string): SupervisedWorker {
    const [first, ...others] = active.get(name)!.toSorted((a, b) => a.inFlight() - b.inFlight());
    const isFull = first !== undefined && others.length + 1 >= workers;
    return first !== undefined && (isFull || first.inFlight() === 0) ? first : start(name);
  }

  return {
    async fetch(name, path, request) {
      if (!active.has(name)) {
        return Response.json({ code: "NOT_FOUND", message: "Function not found" }, { status: 404 });
      }
      if (isClosing) return describeFailure("booting");
      return await pick(name).fetch(path, request);
    },
    async boot(name) {
      await pick(name).origin;
    },
    replace(name) {
      for (const worker of active.get(name) ?? []) worker.retire("replaced");
    },
    async [Symbol.asyncDispose]() {
      isClosing = true;
      for (const worker of all) worker.end("shutdown");
      const impatient = new AbortController();
      void delay(patience, impatient).then(() => {
        for (const worker of all) worker.kill("shutdown");
      }, () => {});
      await Promise.all([...all].map(({ ended }) => ended));
      impatient.abort();
    },
  };
}

/** A worker, its requests, and the resources that it has used. */
type SupervisedWorker = {
  origin: Promise<string>;
  inFlight(): number;
  fetch(path: string, request: Request): Promise<Response>;
  /** Stops sending it requests, and lets it end when it has finished its own. */
  retire(reason: string): void;
  /** The same, and announces the end to it first. */
  end(reason: string): void;
  kill(reason: string): void;
  ended: Promise<unknown>;
};

function superviseWorker(
  name: string,
  { functions, env, limits, onEvent, onLine }: EdgeRuntimeOptions,
  { onRetired }: { onRetired: () => void },
): SupervisedWorker {
  const worker: Worker = startWorker({
    ...functions[name]!,
    env,
    memory: limits.memory,
    onLine: (line) => onLine(name, line),
    onOutOfMemory: () => kill("memory"),
  });
  let [requests, inFlight, cpu] = [0, 0, 0];
  let isEndAnnounced = false;
  let state: "active" | "retired" | "killed" | "ended" = "active";

  const tell = (event: WorkerEvent["event"], reason?: string) =>
    onEvent({ event, function: name, worker: worker.pid, reason, cpu_ms: Math.round(cpu), requests });
  tell("worker_started");

  function retire(reason: string): void {
    if (state !== "active") return;
    state = "retired";
    onRetired();
    tell("worker_retired", reason);
    finishIfIdle();
  }
  function kill(reason: string): void {
    if (state === "killed" || state === "ended") return;
    state = "killed";
    onRetired();
    tell("worker_killed", reason);
    worker.kill();
  }
  /** A retired worker ends as soon as it has no request. */
  function finishIfIdle(): void {
    if (state === "retired" && inFlight === 0) worker.finish();
  }

  const wallClock = limits.wallClock === 0 ? [] : [
    setTimeout(() => retire("wall_clock"), limits.wallClock / 2),
    setTimeout(() => worker.announceEnd("wall_clock"), limits.wallClock * announcement),
    setTimeout(() => kill("wall_clock"), limits.wallClock),
  ];

  const watch = watchCpu(worker.pid, (used) => {
    cpu = used;
    if (limits.cpuHard > 0 && cpu >= limits.cpuHard * announcement && !isEndAnnounced) {
      isEndAnnounced = true;
      worker.announceEnd("cpu");
    }
    if (limits.cpuHard > 0 && cpu >= limits.cpuHard) kill("cpu_time");
    else if (limits.cpuSoft > 0 && cpu >= limits.cpuSoft) retire("cpu_time");
  });

  const ended = worker.ended.then(({ code }) => {
    const hasCrashed = state === "active";
    if (state !== "killed") {
      state = "ended";
      onRetired();
      tell(hasCrashed ? "worker_crashed" : "worker_ended", hasCrashed ? `exit code ${code}` : undefined);
    }
    watch.stop();
    wallClock.forEach(clearTimeout);
  });

  return {
    origin: worker.origin,
    inFlight: () => inFlight,
    async fetch(path, request) {
      requests++;
      inFlight++;
      watch.wake();
      let isDone = false;
      const done = () => {
        if (isDone) return;
        isDone = true;
        inFlight--;
        finishIfIdle();
      };
      const silence = new AbortController();
      const timer = limits.idle === 0 ? undefined : setTimeout(() => silence.abort(), limits.idle);
      let hasBooted = false;
      try {
        const origin = await abortable(worker.origin, silence.signal);
        hasBooted = true;
        const signal = AbortSignal.any([request.signal, silence.signal]);
        return withEnd(await proxy(origin + path, { raw: request, redirect: "manual", signal }), done);
      } catch {
        done();
        if (silence.signal.aborted) return describeFailure("idle");
        if (!hasBooted) return describeFailure("booting");
        return describeFailure(state === "killed" ? "limit" : "crash");
      } finally {
        clearTimeout(timer);
      }
    },
    retire,
    end(reason) {
      worker.announceEnd("termination");
      retire(reason);
    },
    kill,
    ended,
  };
}

/** The same reply; `onEnd` is called, maybe more than once, when its body has been sent or was canceled. */
function withEnd(response: Response, onEnd: () => void): Response {
  if (response.body === null) {
    onEnd();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      onEnd();
    },
    async cancel(reason) {
      onEnd();
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

/** The platform's reply when a worker does not reply. */
function describeFailure(kind: "booting" | "limit" | "crash" | "idle"): Response {
  const failures = {
    booting: [503, "BOOT_ERROR", "Worker failed to boot (please check logs)"],
    limit: [546, "WORKER_LIMIT", "Worker failed to respond due to a resource limit (please check logs)"],
    crash: [500, "WORKER_ERROR", "Function exited due to an error (please check logs)"],
    idle: [504, "IDLE_TIMEOUT", "The function did not reply in time"],
  } as const;
  const [status, code, message] = failures[kind];
  return Response.json({ code, message }, { status });
}
