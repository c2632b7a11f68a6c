import { createWatchdog } from "../../shared/features/chat/turn/watchdog.ts";
import { assertEquals } from "../support/assert.ts";
import { useFakeClock } from "../support/fake_clock.ts";

/** The calls of `expect` with their times, and the time at which the watchdog must abort. */
const cases: Record<string, { total: number; expectations: [at: number, within: number][]; aborts: number }> = {
  "an event that does not come in time aborts": { total: 1000, expectations: [[0, 10]], aborts: 10 },
  "an event that comes in time moves the end": { total: 1000, expectations: [[0, 10], [9, 10], [18, 10]], aborts: 28 },
  "a later end replaces an earlier one": { total: 1000, expectations: [[0, 10], [5, 100]], aborts: 105 },
  "a sooner end replaces a later one": { total: 1000, expectations: [[0, 100], [5, 10]], aborts: 15 },
  "an end replaced twice counts from the last time": {
    total: 1000,
    expectations: [[0, 100], [5, 10], [7, 50]],
    aborts: 57,
  },
  "everything together ends with the total": { total: 25, expectations: [[0, 10], [9, 10], [18, 10]], aborts: 25 },
  "a single expectation beyond the total ends with it": { total: 25, expectations: [[0, 100]], aborts: 25 },
};

Deno.test("watchdog", async (t) => {
  for (const [promise, { total, expectations, aborts }] of Object.entries(cases)) {
    await t.step(promise, () => {
      using clock = useFakeClock();
      const { signal, expect, abort, isStopped } = createWatchdog(total);
      let abortedAt: number | null = null;
      signal.addEventListener("abort", () => abortedAt = performance.now());
      for (const [at, within] of expectations) {
        clock.tick(at - performance.now());
        expect(within);
      }
      clock.tick(60_000);
      assertEquals(abortedAt, aborts);
      assertEquals(signal.reason?.name, "TimeoutError");
      abort();
      assertEquals(isStopped(), false);
    });
  }

  await t.step("a stopped watchdog does not abort and keeps no timer", () => {
    using clock = useFakeClock();
    const { signal, expect, stop } = createWatchdog(20);
    expect(10);
    expect(5);
    stop();
    assertEquals(clock.timers, 0);
    clock.tick(60_000);
    assertEquals(signal.aborted, false);
  });

  await t.step("any number of expectations needs only one timer", () => {
    using clock = useFakeClock();
    const { expect } = createWatchdog(1000);
    for (let i = 0; i < 100; i++) expect(10);
    assertEquals(clock.timers, 1);
  });
});
