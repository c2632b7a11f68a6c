/** Limits the number of pieces of work that a process does at the same time. */
export interface Semaphore {
  /** Returns a function to end the work with; null if `limit` are in progress, or `share` for the same owner. */
  enter(owner: string, limits: { limit: number; share: number }): (() => void) | null;
}

/** A semaphore without any work in progress. */
export function createSemaphore(): Semaphore {
  const owners: string[] = [];
  return {
    enter(owner, { limit, share }) {
      if (owners.length >= limit || owners.filter((other) => other === owner).length >= share) return null;
      owners.push(owner);
      return () => void owners.splice(owners.indexOf(owner), 1);
    },
  };
}
