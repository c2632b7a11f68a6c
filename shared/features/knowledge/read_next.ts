/** Reads on: the next bytes, or null at the end, and again after it. */
export type ReadNext = () => Promise<Uint8Array<ArrayBuffer> | null>;

/** Reads bytes that are in memory already, all at once. */
export function readOnce(bytes: Uint8Array<ArrayBuffer>): ReadNext {
  let rest: Uint8Array<ArrayBuffer> | null = bytes;
  return () => {
    const next = rest;
    rest = null;
    return Promise.resolve(next);
  };
}
