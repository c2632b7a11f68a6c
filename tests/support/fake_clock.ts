/** A clock that only moves when a test moves it. */
export type FakeClock = Disposable & {
  /** Lets time pass, and runs the timers that fall due, in order. */
  tick(milliseconds: number): void;
  /** The number of timers that are set. */
  readonly timers: number;
};

/** Replaces the timers and `performance.now` until it is disposed of. */
export function useFakeClock(): FakeClock {
  const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
  const real = { setTimeout, clearTimeout, setInterval, clearInterval };
  const realNow = performance.now;
  const timers = new Map<number, { at: number; run: () => void; interval?: number }>();
  let now = 0;
  let lastId = 0;
  Object.assign(globalThis, {
    setTimeout(run: () => void, delay = 0) {
      timers.set(++lastId, { at: now + delay, run });
      return lastId;
    },
    clearTimeout: (id: number) => timers.delete(id),
    setInterval(run: () => void, interval: number) {
      timers.set(++lastId, { at: now + interval, run, interval });
      return lastId;
    },
    clearInterval: (id: number) => timers.delete(id),
  });
  performance.now = () => now;

  return {
    tick(milliseconds) {
      const end = now + milliseconds;
      while (true) {
        const [next] = [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at);
        if (next === undefined) break;
        const [id, { at, run, interval }] = next;
        if (interval === undefined) timers.delete(id);
        else timers.set(id, { at: at + interval, run, interval });
        now = at;
        run();
      }
      now = end;
    },
    get timers() {
      return timers.size;
    },
    [Symbol.dispose]() {
      Object.assign(globalThis, real);
      performance.now = realNow;
    },
  };
}
