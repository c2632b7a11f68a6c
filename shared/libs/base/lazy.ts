/** Calls `load` when its result is wanted for the first time, and keeps that result. */
export function lazy<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => value ??= load();
}
