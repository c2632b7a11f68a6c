/**
 * How long this isolate has been at work, from its start and over all its requests: past 1 s of CPU time the platform
 * gives an isolate no more requests, past 2 s it ends it with everything in flight. How much has been used it does not
 * say, so the clock stands in: all time counts that is not spent waiting. Where a machine is shared, that is too much
 * rather than too little.
 */
export interface WorkBudget {
  /** Counts the time until it has settled, but for what is waited for. One at a time. */
  work<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Waits for an answer from outside. What the call does before it begins to wait counts. */
  wait<Result>(call: () => Promise<Result>): Promise<Result>;
  /** Counts milliseconds of work that is done unseen while something is waited for. */
  charge(milliseconds: number): void;
  /** Whether no more should be done than has to be. */
  isSpent(): boolean;
}

/** `limit` and `spent`, what had been used up before now, in milliseconds. */
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
