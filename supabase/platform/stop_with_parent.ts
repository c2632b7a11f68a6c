/**
 * Ends this process when the one that started it has ended, in whatever way: standard input closes then.
 *
 * @param stop runs first, to clean up
 */
export async function stopWithParent(stop: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  for await (const _ of Deno.stdin.readable) { /* nothing is ever written to it */ }
  await stop();
  Deno.exit(0);
}
