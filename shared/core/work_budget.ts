/**
 * The time that this isolate has worked, since its start and for all its requests. After 1 s of CPU time, the platform
 * sends an isolate no more requests. After 2 s, it terminates the isolate with all its work. It does not report the CPU
 * time, so wall-clock time is measured instead, without the time spent waiting. On a shared machine, that is more than
 * the CPU time.
 */
export interface WorkBudget {
  /** Measures the time until `run` has settled, without the time spent waiting. One at a time. */
  work<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Waits for a reply from outside. The work that the call does before it starts to wait is measured. */
  wait<Result>(call: () => Promise<Result>): Promise<Result>;
  /** Adds milliseconds of work that the runtime does during a wait. */
  charge(milliseconds: number): void;
  /** True if the limit is reached. */
  isSpent(): boolean;
}

/** `limit` and `spent` (the work so far) are in milliseconds. */
export function createWorkBudget({ limit, spent }: { limit: number; spent: number }): WorkBudget {
  let isAtWork = false;
  let waits = 0;
  let busySince = 0;

  const isBusy = () => isAtWork && waits === 0;
  const countUp = () => {
    if (isBusy()) spent += performance.now() - busySince;
    busySince = performance.now();
  };

  return {
    async work(run) {
      countUp();
      isAtWork = true;
      try {
        return await run();
      } finally {
        countUp();
        isAtWork = false;
      }
    },
    async wait(call) {
      const answer = call();
      countUp();
      waits++;
      try {
        return await answer;
      } finally {
        countUp();
        waits--;
      }
    },
    charge: (milliseconds) => void (spent += milliseconds),
    isSpent() {
      countUp();
      return spent >= limit;
    },
  };
}
