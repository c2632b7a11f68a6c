/** Counts work of which a process can hold only so much at once. */
export interface Semaphore {
  /** Lets a piece of work in, unless `limit` pieces are in: null then. Call what it returns once the work is over. */
  enter(limit: number): (() => void) | null;
}

/** A semaphore that nothing has entered. */
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
