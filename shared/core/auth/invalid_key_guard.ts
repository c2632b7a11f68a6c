/** Blocks addresses that send one invalid key after another. */
export interface InvalidKeyGuard {
  /** Seconds until an address may try again; null when it is not blocked. */
  secondsBlocked(address: string): number | null;
  /** Counts an invalid key. True when this one blocked the address. */
  countInvalidKey(address: string): boolean;
}

const minute = 60_000;
const maxInvalidKeys = 50;
/** With more addresses the oldest is dropped: no list stops an attacker who has more of them. */
const maxAddresses = 10_000;

/**
 * Blocks an address after 50 invalid keys within a minute, until that minute is over. Its purpose is to keep load off the
 * database, so every worker may have its own. Keys are too long to be guessed in any case.
 *
 * It must only be given addresses that a client cannot choose, or a client could have others blocked, and evade it: those
 * in the header that `CLIENT_ADDRESS_HEADER` names. The connection's own address is never used: functions are always
 * behind a gateway, so it is the gateway's, the same for all (the edge runtime even gives the address that it listens
 * on), and one stranger would have everybody blocked. Where no header is named nobody is blocked, and an invalid key
 * costs one look-up by an index.
 *
 * @param now milliseconds since 1970
 */
export function createInvalidKeyGuard(now: () => number = Date.now): InvalidKeyGuard {
  const windows = new Map<string, { invalidKeys: number; endsAt: number }>();
  function windowOf(address: string) {
    const window = windows.get(address);
    return window !== undefined && now() < window.endsAt ? window : undefined;
  }
  return {
    secondsBlocked(address) {
      const window = windowOf(address);
      if (window === undefined || window.invalidKeys < maxInvalidKeys) return null;
      return Math.ceil((window.endsAt - now()) / 1_000);
    },
    countInvalidKey(address) {
      let window = windowOf(address);
      if (window === undefined) {
        window = { invalidKeys: 0, endsAt: now() + minute };
        // The oldest comes first.
        windows.delete(address);
        const [oldest] = windows.size < maxAddresses ? [] : windows.keys();
        if (oldest !== undefined) windows.delete(oldest);
        windows.set(address, window);
      }
      return ++window.invalidKeys === maxInvalidKeys;
    },
  };
}

/** Four numbers, or an IPv6 address; with a port it is none, since every connection would be another address. */
const shape = /^(?:\d{1,3}(?:\.\d{1,3}){3}|(?=.*:.*:)[\da-f.:]{2,45})$/i;

/**
 * The address of a client as the trusted proxy tells it; undefined where it tells none. Of a list, like that in
 * `X-Forwarded-For`, it is the last entry: that is the one which the trusted proxy has added, and clients can write
 * anything before it.
 *
 * @param value of the trusted header
 */
export function readClientAddress(value: string | undefined): string | undefined {
  const address = value?.split(",").at(-1)?.trim();
  return address !== undefined && shape.test(address) ? address : undefined;
}
