import { delay } from "../../shared/libs/base/std/async.ts";

/** Waits until a check is true; one that throws is not. @throws {Error} after `seconds`, with `what` was waited for. */
export async function eventually(
  isTrue: () => boolean | Promise<boolean>,
  what: string,
  seconds = 30,
): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  let reason: unknown = "";
  while (performance.now() < end) {
    try {
      if (await isTrue()) return;
      reason = "";
    } catch (error) {
      reason = `: ${error}`;
    }
    await delay(20);
  }
  throw new Error(`Timed out waiting until ${what}${reason}`);
}
