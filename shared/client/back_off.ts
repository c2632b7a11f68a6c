/** Sends a request. */
export type Send = (request: Request) => Promise<Response>;

/** When a request is sent again. */
export type BackOffOptions = {
  /** How often at most; 0 switches it off. */
  retries: number;
  /** Milliseconds that no single wait exceeds: who must wait longer gets the 429. */
  maxDelay: number;
  /** Waits so many milliseconds; rejects when the signal is aborted. */
  sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to below 1. */
  random: () => number;
};

const firstDelay = 500;

/**
 * Sends requests that were refused for exceeding a rate limit again: after as long as the service says (`Retry-After`,
 * in seconds) and at least twice as long as before, with up to half as much again at random, so that many clients do
 * not come back at once. Refused requests have done nothing, so that any can be sent again.
 */
export function backOff(send: Send, { retries, maxDelay, sleep, random }: BackOffOptions): Send {
  return async (request) => {
    for (let retry = 0;; retry++) {
      const response = await send(retry < retries ? request.clone() : request);
      if (response.status !== 429 || retry >= retries) return response;
      const told = Number(response.headers.get("Retry-After")) * 1_000 || 0;
      const delay = Math.max(told, firstDelay * 2 ** retry) * (1 + random() / 2);
      if (told > maxDelay) return response;
      await response.body?.cancel();
      await sleep(Math.min(delay, maxDelay), request.signal);
    }
  };
}
