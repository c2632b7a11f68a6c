/** Aborts a signal when what is expected does not happen in time. */
export type Watchdog = {
  signal: AbortSignal;
  /** Something must happen within so many milliseconds; replaces what was expected before. */
  expect(within: number): void;
  /** Aborts now. */
  abort(): void;
  /** Watches no longer. */
  stop(): void;
};

/** A watchdog that also aborts when everything together takes longer than `total` milliseconds. */
export function createWatchdog(total: number): Watchdog {
  const controller = new AbortController();
  const end = performance.now() + total;
  let due = end;
  let timer: ReturnType<typeof setTimeout> | undefined;

  // Expectations move with every piece of text; the timer only looks at the clock when it fires.
  function look() {
    const rest = Math.min(due, end) - performance.now();
    if (rest <= 0) controller.abort(new DOMException("Nothing happened in time", "TimeoutError"));
    else timer = setTimeout(look, rest);
  }

  return {
    signal: controller.signal,
    expect(within) {
      const next = performance.now() + within;
      const isSooner = next < due;
      due = next;
      if (isSooner || timer === undefined) {
        clearTimeout(timer);
        look();
      }
    },
    abort: () => controller.abort(new DOMException("The turn was stopped", "AbortError")),
    stop: () => clearTimeout(timer),
  };
}
