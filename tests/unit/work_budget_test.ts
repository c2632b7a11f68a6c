import { createWorkBudget } from "../../shared/core/work_budget.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";
import { type FakeClock, useFakeClock } from "../support/fake_clock.ts";

/** Work that ends when a test says so. */
function startWork(clock: FakeClock, milliseconds: number) {
  const ended = Promise.withResolvers<void>();
  return {
    end: ended.resolve,
    fail: ended.reject,
    call: () => {
      clock.tick(milliseconds);
      return ended.promise;
    },
  };
}

const limits = { limit: 100, spent: 0 };

Deno.test("createWorkBudget", async (t) => {
  await t.step("work counts", async () => {
    using clock = useFakeClock();
    const budget = createWorkBudget(limits);
    await budget.work(() => Promise.resolve(clock.tick(99)));
    assertEquals(budget.isSpent(), false);
    await budget.work(() => Promise.resolve(clock.tick(1)));
    assertEquals(budget.isSpent(), true);
  });

  await t.step("work counts while it is still running", async () => {
    using clock = useFakeClock();
    const budget = createWorkBudget(limits);
    await budget.work(() => {
      const seen = [60, 60].map((milliseconds) => {
        clock.tick(milliseconds);
        return budget.isSpent();
      });
      assertEquals(seen, [false, true]);
      return Promise.resolve();
    });
  });

  await t.step("time between pieces of work does not count", () => {
    using clock = useFakeClock();
    const budget = createWorkBudget(limits);
    clock.tick(1_000);
    assertEquals(budget.isSpent(), false);
  });

  await t.step("time spent before counts, and so does what is charged", () => {
    using _clock = useFakeClock();
    const budget = createWorkBudget({ limit: 100, spent: 60 });
    assertEquals(budget.isSpent(), false);
    budget.charge(39);
    assertEquals(budget.isSpent(), false);
    budget.charge(1);
    assertEquals(budget.isSpent(), true);
  });

  await t.step("waiting does not count, but the work of a call before it waits does", async () => {
    using clock = useFakeClock();
    const budget = createWorkBudget(limits);
    const request = startWork(clock, 40);
    const work = budget.work(async () => {
      await budget.wait(request.call);
      clock.tick(59);
    });
    clock.tick(1_000);
    request.end();
    await work;
    assertEquals(budget.isSpent(), false);
    await budget.work(() => Promise.resolve(clock.tick(1)));
    assertEquals(budget.isSpent(), true);
  });

  await t.step("when several calls wait at the same time, waiting ends with the last one", async () => {
    using clock = useFakeClock();
    const budget = createWorkBudget(limits);
    const [first, second] = [startWork(clock, 0), startWork(clock, 0)];
    const work = budget.work(async () => {
      const waits = [budget.wait(first.call), budget.wait(second.call)];
      await waits[0];
      clock.tick(1_000);
      second.end();
      await waits[1];
      clock.tick(99);
    });
    first.end();
    await work;
    assertEquals(budget.isSpent(), false);
  });

  await t.step("work and waiting that fail are counted in the same way", async () => {
    using clock = useFakeClock();
    const budget = createWorkBudget(limits);
    const request = startWork(clock, 0);
    const work = budget.work(async () => {
      await budget.wait(request.call).catch(() => clock.tick(50));
      throw new TypeError("over");
    });
    request.fail(new Error("refused"));
    await assertRejects(() => work, TypeError, "over");
    clock.tick(1_000);
    assertEquals(budget.isSpent(), false);
    await budget.work(() => Promise.resolve(clock.tick(50)));
    assertEquals(budget.isSpent(), true);
  });
});
