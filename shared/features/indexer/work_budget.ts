/**
 * How long this isolate has worked, from its start and over all its requests. After 1 s of CPU time the platform sends an
 * isolate no more requests; after 2 s it ends the isolate with all its work. It does not say how much has been used, so
 * the clock is used instead: all time counts but that of waiting. On a shared machine that is more than the CPU time.
 */
export interface WorkBudget {
  /** Counts the time until `run` has settled, without the time of waiting. One at a time. */
  work<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Waits for an answer from outside. The work of the call before it begins to wait counts. */
  wait<Result>(call: () => Promise<Result>): Promise<Result>;
  /** Counts milliseconds of work that the runtime does during a wait. */
  charge(milliseconds: number): void;
  /** Whether the limit is reached. */
  isSpent(): boolean;
}

/** `limit` and `spent`, the work before now, are in milliseconds. */
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
