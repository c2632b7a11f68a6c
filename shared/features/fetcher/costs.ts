/**
 * The work of the runtime while the code waits for a reply, in milliseconds: see `meter_services.ts` of the indexer,
 * where it is measured.
 */
export const costs = {
  /** A call of Postgres or of another function. */
  request: 2,
  /** Resolving a name, making an encrypted connection, and sending a request. */
  fetch: 6,
  /** Receiving a megabyte, compressed or not. */
  megabyteReceived: 8,
  /** Sending a megabyte to Storage. */
  megabyteSent: 6,
};
