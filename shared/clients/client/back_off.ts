import { sleep } from "./sleep.ts";

/** Sends a request. */
export type Send = (request: Request) => Promise<Response>;

/** When a request is sent again. */
export type BackOffOptions = {
  /** How often at most: by default 4 times; 0 switches it off. */
  retries: number;
  /** The longest single wait in milliseconds, by default a minute. Where the service names a longer one, the 429 is given back. */
  maxDelay: number;
  /** Waits so many milliseconds; rejects when the signal is aborted. */
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to below 1. */
  random: () => number;
};

const defaults: BackOffOptions = { retries: 4, maxDelay: 60_000, sleep, random: Math.random };

const firstDelay = 500;

/**
 * Sends requests that were refused for exceeding a rate limit again: after as long as the service says (`Retry-After`,
 * in seconds) and at least twice as long as before, with up to half as much again at random, so that many clients do
 * not come back at once. Refused requests have done nothing, so that any can be sent again. The body of a request is
 * held twice until it is answered.
 */
export function backOff(send: Send, options: Partial<BackOffOptions> = {}): Send {
  const { retries, maxDelay, sleep, random } = { ...defaults, ...options };
  return async (request) => {
    for (let retry = 0;; retry++) {
      const response = await send(retry < retries ? request.clone() : request);
      const told = Number(response.headers.get("Retry-After")) * 1_000 || 0;
      if (response.status !== 429 || retry >= retries || told > maxDelay) return response;
      await response.body?.cancel();
      const delay = Math.max(told, firstDelay * 2 ** retry) * (1 + random() / 2);
      await sleep(Math.min(delay, maxDelay), request.signal);
    }
  };
}
