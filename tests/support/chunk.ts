/** Cuts a list into parts of at most `size` values. */
export function chunk<Value>(values: readonly Value[], size: number): Value[][] {
  return Array.from(
    { length: Math.ceil(values.length / size) },
    (_, index) => values.slice(index * size, (index + 1) * size),
  );
}
