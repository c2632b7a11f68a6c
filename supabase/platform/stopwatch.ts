/** The times that the steps of a command take. */
export type Stopwatch = {
  /** Ends the step before, and begins another. */
  begin(step: string): void;
  /** Ends the last step, and describes the whole time and the steps that took a second or more, the longest first. */
  describe(): string;
};

/** Starts a stopwatch. */
export function createStopwatch(now: () => number = () => performance.now()): Stopwatch {
  const start = now();
  const steps = new Map<string, number>();
  let current: { step: string; began: number } | null = null;
  const end = () => {
    if (current === null) return;
    steps.set(current.step, (steps.get(current.step) ?? 0) + now() - current.began);
  };
  const inSeconds = (milliseconds: number) => `${Math.round(milliseconds / 1_000)} s`;
  return {
    begin(step) {
      end();
      current = { step, began: now() };
    },
    describe() {
      end();
      current = null;
      const long = [...steps].filter(([, time]) => time >= 1_000).toSorted(([, one], [, other]) => other - one);
      const parts = long.map(([step, time]) => `${step} ${inSeconds(time)}`).join(", ");
      return inSeconds(now() - start) + (parts && ` (${parts})`);
    },
  };
}
