/** Limits the number of pieces of work that a process does at the same time. */
export interface Semaphore {
  /** Returns a function to call when the work has ended, or null if `limit` pieces of work are in progress. */
  enter(limit: number): (() => void) | null;
}

/** A semaphore without any work in progress. */
export function createSemaphore(): Semaphore {
  let inside = 0;
  return {
    enter(limit) {
      if (inside >= limit) return null;
      inside++;
      return () => void inside--;
    },
  };
}
