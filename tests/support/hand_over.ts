/**
 * Hands over what a test has prepared, with everything that was opened for it: that ends with the test, and no longer
 * when the function that prepares is left.
 *
 * @param stack what the preparation has opened
 */
export function handOver<Prepared extends object>(
  stack: AsyncDisposableStack,
  prepared: Prepared,
): Prepared & AsyncDisposable {
  const opened = stack.move();
  return { ...prepared, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
