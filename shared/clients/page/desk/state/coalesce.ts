/**
 * Returns a function that acts immediately, but not again until that has ended and a pause has passed. All calls in between
 * count as one. Events come in bursts, and every request counts against the user's limits.
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
