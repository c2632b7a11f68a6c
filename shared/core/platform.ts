declare const EdgeRuntime: { waitUntil(promise: Promise<unknown>): void } | undefined;

/** Returns whether this is the edge runtime, or the local copy of it. */
export function isOnPlatform(): boolean {
  return typeof EdgeRuntime !== "undefined";
}

/** Keeps the worker alive until the promise has settled, where the platform can. */
export function waitUntil(promise: Promise<unknown>): void {
  // A new promise for each call: the runtime counts the calls against the promises that have settled.
  if (typeof EdgeRuntime !== "undefined") EdgeRuntime.waitUntil(promise.then(() => {}, () => {}));
}
