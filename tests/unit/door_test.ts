import { assertEquals } from "deno-std/assert/mod.js";
import { createDoor } from "../../shared/auth/door.ts";

function start() {
  const clock = { now: 1_000_000 };
  const door = createDoor(() => clock.now);
  const knock = (address: string, times: number) =>
    Array.from({ length: times }, () => door.countInvalidKey(address)).filter((hasClosed) => hasClosed).length;
  return { clock, door, knock };
}

Deno.test("createDoor", async (t) => {
  await t.step("closes with the 50th invalid key of a minute, and says so once", () => {
    const { door, knock } = start();
    assertEquals([knock("a", 49), door.secondsClosed("a")], [0, null]);
    assertEquals([knock("a", 1), door.secondsClosed("a")], [1, 60]);
    assertEquals(knock("a", 30), 0);
  });

  await t.step("opens again when the minute is over that began with the first of them", () => {
    const { clock, door, knock } = start();
    knock("a", 1);
    clock.now += 30_000;
    knock("a", 49);
    assertEquals(door.secondsClosed("a"), 30);
    clock.now += 29_001;
    assertEquals(door.secondsClosed("a"), 1);
    clock.now += 999;
    assertEquals(door.secondsClosed("a"), null);
    assertEquals([knock("a", 49), door.secondsClosed("a")], [0, null]);
    assertEquals([knock("a", 1), door.secondsClosed("a")], [1, 60]);
  });

  await t.step("keeps addresses apart", () => {
    const { door, knock } = start();
    knock("a", 50);
    knock("b", 49);
    assertEquals([door.secondsClosed("a"), door.secondsClosed("b")], [60, null]);
  });

  await t.step("remembers ten thousand addresses, and forgets the oldest first", () => {
    const { door, knock } = start();
    knock("first", 50);
    knock("second", 50);
    for (let count = 0; count < 9_998; count++) knock(`another ${count}`, 1);
    assertEquals([door.secondsClosed("first"), door.secondsClosed("second")], [60, 60]);
    knock("one more", 1);
    assertEquals([door.secondsClosed("first"), door.secondsClosed("second")], [null, 60]);
  });
});
