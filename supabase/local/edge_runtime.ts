/** Preloaded into every function of the local stack: what the hosted edge runtime offers beside Deno. */
import { stopWithParent } from "./stop_with_parent.ts";

const pending = new Set<Promise<unknown>>();

Object.assign(globalThis, {
  EdgeRuntime: {
    waitUntil(promise: Promise<unknown>) {
      pending.add(promise);
      promise.finally(() => pending.delete(promise));
    },
  },
});

// A function that is restarted finishes the turns it has begun. The function itself starts only when this file has
// nothing more to wait for: so it begins to wait afterwards.
addEventListener("load", () => {
  stopWithParent(async () => {
    await Promise.allSettled(pending);
  });
});
