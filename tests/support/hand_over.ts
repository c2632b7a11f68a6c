/**
 * What a test has prepared. Everything that was opened for it ends with it: the stack no longer ends that when the
 * function that prepares is left.
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
