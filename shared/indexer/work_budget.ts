/** What one request may do of indexing: the platform stops a request after 2 s of CPU time, and after 150 s in all. */
export interface WorkBudget {
  /** Passes items on, and counts the time that making each of them takes. */
  meter<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item>;
  /** Counts milliseconds of work that cannot be metered, since most of its time is waiting. */
  charge(milliseconds: number): void;
  isSpent(): boolean;
}

/** `reading` bounds the work that is counted, `sweep` everything since now; in milliseconds. */
export function createWorkBudget(limits: { reading: number; sweep: number }): WorkBudget {
  const began = performance.now();
  let spent = 0;
  return {
    async *meter(items) {
      try {
        while (true) {
          const began = performance.now();
          const { value, done } = await items.next();
          spent += performance.now() - began;
          if (done) return;
          yield value;
        }
      } finally {
        await items.return(undefined);
      }
    },
    charge: (milliseconds) => void (spent += milliseconds),
    isSpent: () => spent >= limits.reading || performance.now() - began >= limits.sweep,
  };
}
