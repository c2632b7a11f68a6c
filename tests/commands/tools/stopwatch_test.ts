import { createStopwatch } from "../../../supabase/platform/terminal.ts";
import { assertEquals } from "../../support/assert.ts";

Deno.test("the stopwatch of a command tells the whole time, and the steps of a second or more", () => {
  let now = 5_000;
  const stopwatch = createStopwatch(() => now);
  const steps: [string, number][] = [["packages", 20_400], ["Postgres", 31_000], ["functions", 900], [
    "packages",
    1_000,
  ]];
  now += 600;
  for (const [step, time] of steps) {
    stopwatch.begin(step);
    now += time;
  }
  assertEquals(stopwatch.describe(), "54 s (Postgres 31 s, packages 21 s)");
  now += 100;
  assertEquals(createStopwatch(() => now).describe(), "0 s");
});
