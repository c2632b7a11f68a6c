/** Reads the next bytes. Returns null at the end, and whenever it is called after that. */
export type ReadNext = () => Promise<Uint8Array<ArrayBuffer> | null>;

/** Reads bytes that are already in memory, in one piece. */
export function readOnce(bytes: Uint8Array<ArrayBuffer>): ReadNext {
  let rest: Uint8Array<ArrayBuffer> | null = bytes;
  return () => {
    const next = rest;
    rest = null;
    return Promise.resolve(next);
  };
}
