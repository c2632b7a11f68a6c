import { assertEquals } from "deno-std/assert/mod.js";
import { createInvalidKeyGuard } from "../../shared/auth/invalid_key_guard.ts";

function start() {
  const clock = { now: 1_000_000 };
  const guard = createInvalidKeyGuard(() => clock.now);
  const knock = (address: string, times: number) =>
    Array.from({ length: times }, () => guard.countInvalidKey(address)).filter((hasClosed) => hasClosed).length;
  return { clock, guard, knock };
}

Deno.test("createInvalidKeyGuard", async (t) => {
  await t.step("closes with the 50th invalid key of a minute, and says so once", () => {
    const { guard, knock } = start();
    assertEquals([knock("a", 49), guard.secondsBlocked("a")], [0, null]);
    assertEquals([knock("a", 1), guard.secondsBlocked("a")], [1, 60]);
    assertEquals(knock("a", 30), 0);
  });

  await t.step("opens again when the minute is over that began with the first of them", () => {
    const { clock, guard, knock } = start();
    knock("a", 1);
    clock.now += 30_000;
    knock("a", 49);
    assertEquals(guard.secondsBlocked("a"), 30);
    clock.now += 29_001;
    assertEquals(guard.secondsBlocked("a"), 1);
    clock.now += 999;
    assertEquals(guard.secondsBlocked("a"), null);
    assertEquals([knock("a", 49), guard.secondsBlocked("a")], [0, null]);
    assertEquals([knock("a", 1), guard.secondsBlocked("a")], [1, 60]);
  });

  await t.step("keeps addresses apart", () => {
    const { guard, knock } = start();
    knock("a", 50);
    knock("b", 49);
    assertEquals([guard.secondsBlocked("a"), guard.secondsBlocked("b")], [60, null]);
  });

  await t.step("remembers ten thousand addresses, and forgets the oldest first", () => {
    const { guard, knock } = start();
    knock("first", 50);
    knock("second", 50);
    for (let count = 0; count < 9_998; count++) knock(`another ${count}`, 1);
    assertEquals([guard.secondsBlocked("first"), guard.secondsBlocked("second")], [60, 60]);
    knock("one more", 1);
    assertEquals([guard.secondsBlocked("first"), guard.secondsBlocked("second")], [null, 60]);
  });
});
