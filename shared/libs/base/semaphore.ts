/** Limits the number of pieces of work that a process does at the same time. */
export interface Semaphore {
  /**
   * Returns a function to call when the work has ended, or null if `limit` pieces of work are in progress, or `share` of
   * them for the same owner.
   */
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
