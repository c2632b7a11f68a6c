import { createInvalidKeyGuard } from "../../shared/core/auth/invalid_key_guard.ts";
import { assertEquals } from "../support/assert.ts";

function start() {
  const clock = { now: 1_000_000 };
  const guard = createInvalidKeyGuard(() => clock.now);
  const tryKeys = (address: string, times: number) =>
    Array.from({ length: times }, () => guard.countInvalidKey(address)).filter((hasClosed) => hasClosed).length;
  return { clock, guard, tryKeys };
}

Deno.test("createInvalidKeyGuard", async (t) => {
  await t.step("blocks an address at the 50th invalid key in a minute, and reports it once", () => {
    const { guard, tryKeys } = start();
    assertEquals([tryKeys("a", 49), guard.secondsBlocked("a")], [0, null]);
    assertEquals([tryKeys("a", 1), guard.secondsBlocked("a")], [1, 60]);
    assertEquals(tryKeys("a", 30), 0);
  });

  await t.step("unblocks it a minute after the first of these keys", () => {
    const { clock, guard, tryKeys } = start();
    tryKeys("a", 1);
    clock.now += 30_000;
    tryKeys("a", 49);
    assertEquals(guard.secondsBlocked("a"), 30);
    clock.now += 29_001;
    assertEquals(guard.secondsBlocked("a"), 1);
    clock.now += 999;
    assertEquals(guard.secondsBlocked("a"), null);
    assertEquals([tryKeys("a", 49), guard.secondsBlocked("a")], [0, null]);
    assertEquals([tryKeys("a", 1), guard.secondsBlocked("a")], [1, 60]);
  });

  await t.step("counts each address separately", () => {
    const { guard, tryKeys } = start();
    tryKeys("a", 50);
    tryKeys("b", 49);
    assertEquals([guard.secondsBlocked("a"), guard.secondsBlocked("b")], [60, null]);
  });

  await t.step("remembers ten thousand addresses, and drops the oldest first", () => {
    const { guard, tryKeys } = start();
    tryKeys("first", 50);
    tryKeys("second", 50);
    for (let count = 0; count < 9_998; count++) tryKeys(`another ${count}`, 1);
    assertEquals([guard.secondsBlocked("first"), guard.secondsBlocked("second")], [60, 60]);
    tryKeys("one more", 1);
    assertEquals([guard.secondsBlocked("first"), guard.secondsBlocked("second")], [null, 60]);
  });
});
