import type { Log } from "../libs/base/log.ts";

/** Does the work that is due, and settles when it is done or handed over. Never rejects. */
export type Sweeper = (log: Log) => Promise<void>;

/** The parts of a sweeper. Times are those of the clock of `performance`, in milliseconds. */
type SweeperParts = {
  /** The time from a request for a sweep after which none is begun for it any more. */
  lasts: number;
  /** Sweeps for a request that arrived at a time. Never rejects. */
  sweep: (at: number, log: Log) => Promise<void>;
  /** Has another isolate sweep. Never rejects. */
  handOver: (log: Log) => Promise<void>;
};

/** Runs one sweep at a time: requests share the isolate. A request during a sweep has another one follow. */
export function sweepOneByOne({ lasts, sweep, handOver }: SweeperParts): Sweeper {
  let running: Promise<void> | null = null;
  /** The last request without a sweep so far. The platform only sends requests to an isolate that has time left. */
  let asked: { at: number; log: Log } | null = null;

  async function run(): Promise<void> {
    try {
      while (asked !== null) {
        const { at, log }: { at: number; log: Log } = asked;
        asked = null;
        if (performance.now() - at < lasts) await sweep(at, log);
        else await handOver(log);
      }
    } finally {
      running = null;
    }
  }

  return (log) => {
    asked = { at: performance.now(), log };
    return running ??= run();
  };
}

/** Does at least one step, and more while there are any and `mayGoOn` allows. Returns whether there are still more. */
export async function repeat(step: () => Promise<boolean>, mayGoOn: () => boolean): Promise<boolean> {
  let hasMore: boolean;
  do hasMore = await step(); while (hasMore && mayGoOn());
  return hasMore;
}
