/** The time in which events count as one, in milliseconds. */
const pause = 100;

/** Reads something again whenever that is asked for, never twice at the same time. */
export interface Refresh {
  /** Reads now. A reading that is under way is followed by another one. */
  now(): Promise<void>;
  /** Reads once for all calls within a moment. */
  soon(): void;
}

export function createRefresh(read: () => Promise<void>): Refresh {
  let isDue = false;
  let running: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(): Promise<void> {
    while (isDue) {
      isDue = false;
      await read();
    }
    running = null;
  }
  function now(): Promise<void> {
    isDue = true;
    return running ??= run();
  }
  function soon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void now();
    }, pause);
  }
  return { now, soon };
}
