/// <reference lib="dom" />
import { Recovery, type Trouble } from "../../shared/clients/page/chat/trouble.ts";
import { assertEquals } from "../support/assert.ts";
import { useFakeClock } from "../support/fake_clock.ts";

Deno.test("a page tries again after pauses that grow to half a minute, and begin anew after a success", () => {
  using clock = useFakeClock();
  let tries = 0;
  const recovery = new Recovery(() => void tries++);
  /** The seconds until it tries again. */
  const wait = (trouble: Trouble) => {
    recovery.after(trouble);
    const before = tries;
    for (let second = 1; second <= 60; second++) {
      clock.tick(1_000);
      if (tries > before) return second;
    }
    return null;
  };
  const fail = () => wait({ kind: "unreachable" });
  assertEquals([fail(), fail(), fail(), fail(), fail(), fail()], [2, 4, 8, 16, 30, 30]);
  recovery.after(null);
  assertEquals([fail(), fail()], [2, 4]);
  assertEquals(wait({ kind: "coachNotFound" }), null);
});
