/** The asynchronous helpers of the standard library, with their types: the package `deno-std` declares none. */
import { abortable as untypedAbortable } from "deno-std/async/abortable.js";
import { deadline as untypedDeadline } from "deno-std/async/deadline.js";
import { delay as untypedDelay } from "deno-std/async/delay.js";
import { pooledMap as untypedPooledMap } from "deno-std/async/pool.js";
import { retry as untypedRetry } from "deno-std/async/retry.js";

/** Returns a promise, or an iterable, that rejects as soon as the signal is aborted. */
export const abortable: {
  <T>(promise: Promise<T>, signal: AbortSignal): Promise<T>;
  <T>(iterable: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T>;
} = untypedAbortable;

/** Returns a promise that rejects with a `TimeoutError` after some milliseconds. */
export const deadline: <T>(
  promise: Promise<T>,
  milliseconds: number,
  options?: { signal?: AbortSignal },
) => Promise<T> = untypedDeadline;

/** Waits for some milliseconds. If `persistent` is false, the process may end meanwhile. */
export const delay: (milliseconds: number, options?: { signal?: AbortSignal; persistent?: boolean }) => Promise<void> =
  untypedDelay;

/** Transforms values with at most `limit` calls at a time; results keep the order of the values. */
export const pooledMap: <Value, Result>(
  limit: number,
  values: Iterable<Value> | AsyncIterable<Value>,
  transform: (value: Value) => Promise<Result>,
) => AsyncIterableIterator<Result> = untypedPooledMap;

/** The times are in milliseconds. */
type RetryOptions = {
  multiplier?: number;
  maxTimeout?: number;
  maxAttempts?: number;
  minTimeout?: number;
  jitter?: number;
  isRetriable?: (error: unknown) => boolean;
  signal?: AbortSignal;
};

/** Calls a function until it succeeds, with growing pauses; at last it throws a `RetryError` with the cause. */
export const retry: <T>(call: () => Promise<T> | T, options?: RetryOptions) => Promise<T> = untypedRetry;
