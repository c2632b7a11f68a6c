/** Returns a function that loads a value when it is first called, and keeps it. A load that fails is tried again. */
export function lazy<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () =>
    value ??= load().catch((error) => {
      value = undefined;
      throw error;
    });
}
