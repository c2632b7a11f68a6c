/** Aborts a signal when something that is expected does not happen in time. */
export type Watchdog = {
  signal: AbortSignal;
  /** From now on aborts after so many milliseconds, unless called again before; replaces the earlier limit. */
  expect(within: number): void;
  /** Aborts now. */
  abort(): void;
  /** Whether it was `abort` that aborted. */
  isStopped(): boolean;
  /** Stops watching. */
  stop(): void;
};

/** A watchdog that also aborts when everything together takes longer than `total` milliseconds. */
export function createWatchdog(total: number): Watchdog {
  const controller = new AbortController();
  const stopped = new DOMException("The turn was stopped", "AbortError");
  const end = performance.now() + total;
  let due = end;
  let timer: ReturnType<typeof setTimeout> | undefined;

  // The limit moves with every piece of text. To set a timer each time would cost too much, so the timer looks at the
  // clock when it fires, and is set again for what is left.
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
    abort: () => controller.abort(stopped),
    isStopped: () => controller.signal.reason === stopped,
    stop: () => clearTimeout(timer),
  };
}
