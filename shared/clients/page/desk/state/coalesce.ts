/**
 * A function that does something now, but not again before that has ended and a pause has passed: calls in between are one.
 * What happens live comes in bursts, and every reading counts against the reader's limits.
 */
export function coalesce(act: () => Promise<unknown>, pause: number): () => void {
  let isUnderWay = false;
  let isDue = false;
  return async function ask() {
    isDue = true;
    if (isUnderWay) return;
    isUnderWay = true;
    while (isDue) {
      isDue = false;
      await act().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    isUnderWay = false;
  };
}
