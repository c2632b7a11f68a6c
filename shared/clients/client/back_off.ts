/** Sends a request. */
export type Send = (request: Request) => Promise<Response>;

/** The rules for sending requests again. */
export type BackOffOptions = {
  /** The maximum number of retries: by default 4; 0 disables them. */
  retries: number;
  /** The longest single wait in milliseconds, by default a minute. A 429 that asks for a longer one is returned. */
  maxDelay: number;
  /** Waits for some milliseconds; rejects when the signal is aborted. */
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to below 1. */
  random: () => number;
};

const defaults: BackOffOptions = { retries: 4, maxDelay: 60_000, sleep, random: Math.random };

const firstDelay = 500;

/**
 * Resends requests that exceeded a rate limit. It waits as long as the service says (`Retry-After`, in seconds) and at
 * least twice as long as before, plus up to half of that at random, so that many clients do not return at the same
 * moment. A refusal by a budget is returned. A refused request had no effect, so any request can be sent again. The body of a request is held in memory
 * twice until it is answered.
 */
export function backOff(send: Send, options: Partial<BackOffOptions> = {}): Send {
  const { retries, maxDelay, sleep, random } = { ...defaults, ...options };
  return async (request) => {
    for (let retry = 0;; retry++) {
      const response = await send(retry < retries ? request.clone() : request);
      const told = Number(response.headers.get("Retry-After")) * 1_000 || 0;
      // A budget that is used up is renewed at the next period, or never.
      const isFinal = response.headers.get("X-Error-Code") === "budget_exhausted";
      if (response.status !== 429 || isFinal || retry >= retries || told > maxDelay) return response;
      await response.body?.cancel();
      const delay = Math.max(told, firstDelay * 2 ** retry) * (1 + random() / 2);
      await sleep(Math.min(delay, maxDelay), request.signal);
    }
  };
}

/** Waits for some milliseconds; rejects with the reason of the signal when that is aborted. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    function abort() {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
