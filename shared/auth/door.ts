/** Turns addresses away that show one invalid key after the other. */
export interface Door {
  /** Seconds until an address may come again; null when it may now. */
  secondsClosed(address: string): number | null;
  /** Counts an invalid key, and tells whether it was the one that closed the door. */
  countInvalidKey(address: string): boolean;
}

const minute = 60_000;
const maxInvalidKeys = 50;
/** Whoever has more addresses than this at hand is not kept out by any list of them. */
const maxAddresses = 10_000;

/**
 * A door that closes to an address after 50 invalid keys within a minute, until that minute is over. Every worker has
 * its own: it keeps load off the database. The keys themselves are beyond guessing.
 *
 * @param now milliseconds since 1970
 */
export function createDoor(now: () => number = Date.now): Door {
  const visits = new Map<string, { invalidKeys: number; endsAt: number }>();
  function visitOf(address: string) {
    const visit = visits.get(address);
    return visit !== undefined && now() < visit.endsAt ? visit : undefined;
  }
  return {
    secondsClosed(address) {
      const visit = visitOf(address);
      if (visit === undefined || visit.invalidKeys < maxInvalidKeys) return null;
      return Math.ceil((visit.endsAt - now()) / 1_000);
    },
    countInvalidKey(address) {
      let visit = visitOf(address);
      if (visit === undefined) {
        visit = { invalidKeys: 0, endsAt: now() + minute };
        // The oldest comes first.
        visits.delete(address);
        const [oldest] = visits.size < maxAddresses ? [] : visits.keys();
        if (oldest !== undefined) visits.delete(oldest);
        visits.set(address, visit);
      }
      return ++visit.invalidKeys === maxInvalidKeys;
    },
  };
}
