/**
 * Returns a function that acts immediately, but not again until that has ended and a pause has passed. All calls in between
 * count as one. Events come in bursts, and every request counts against the user's limits. What the expert has done
 * themselves, they see at once: "now" ends the pause.
 */
export function coalesce(act: () => Promise<unknown>, pause: number): (when?: "now" | Event) => void {
  let isUnderWay = false;
  let isDue = false;
  let isUrgent = false;
  let endPause = () => {};
  return async function ask(when) {
    isDue = true;
    isUrgent ||= when === "now";
    if (isUrgent) endPause();
    if (isUnderWay) return;
    isUnderWay = true;
    while (isDue) {
      isDue = isUrgent = false;
      await act().catch(() => {});
      if (isUrgent) continue;
      await new Promise<void>((resolve) => {
        endPause = resolve;
        setTimeout(resolve, pause);
      });
    }
    isUnderWay = false;
  };
}
