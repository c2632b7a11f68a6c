/**
 * Ends this process when the one that started it has gone: its end of standard input closes then, however it died.
 *
 * @param stop runs first, to put things in order
 */
export async function stopWithParent(stop: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  for await (const _ of Deno.stdin.readable) { /* nothing is ever written to it */ }
  await stop();
  Deno.exit(0);
}
