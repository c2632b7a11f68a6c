/** The limits of a worker. Times are in milliseconds; 0 means no limit. */
export type WorkerLimits = {
  /** CPU time from the worker's start, over all its requests, after which it gets no new ones. */
  cpuSoft: number;
  /** CPU time after which it is killed, with everything in flight. */
  cpuHard: number;
  /** Time from its start after which it is killed. It gets no new requests from half of it on. */
  wallClock: number;
  /** Time until the head of a reply; after it the client gets 504. */
  idle: number;
  /** The maximum size of its heap and its buffers together, in MB. */
  memory: number;
};

/** The plans of the platform whose limits differ. */
export type HostingPlan = "free" | "paid";

/**
 * The platform's limits. Wall clock, memory and idle time, and 2 s of CPU time, are from
 * https://supabase.com/docs/guides/functions/limits. The source of the edge runtime shows that CPU time is counted per
 * worker, and that a worker is retired at half of its wall clock (`strategy_per_worker.rs`). The soft limit of 1 s is
 * that of `functions serve` in the source of the CLI; the platform's is not published.
 */
export function limitsOf(plan: HostingPlan): WorkerLimits {
  return {
    cpuSoft: 1_000,
    cpuHard: 2_000,
    wallClock: plan === "free" ? 150_000 : 400_000,
    idle: 150_000,
    memory: 256,
  };
}
