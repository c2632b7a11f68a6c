import { assertEquals } from "deno-std/assert/mod.js";
import type { IndexingWork } from "../../shared/indexer/store.ts";
import { createSweeper } from "../../shared/indexer/sweeper.ts";
import { createWorkBudget } from "../../shared/indexer/work_budget.ts";
import type { Services } from "../../shared/services.ts";
import { useFakeClock } from "../support/fake_clock.ts";

const nothingToDo: IndexingWork = { removals: [], responses: [], hasMoreResponses: false, file: null };

/** A sweeper whose looks at the work list wait until they are let go; they find nothing. */
function startSweeper() {
  const looks: PromiseWithResolvers<unknown>[] = [];
  let calls = 0;
  const services = {
    database: {
      call() {
        const look = Promise.withResolvers<unknown>();
        looks.push(look);
        return look.promise;
      },
    },
    files: {},
    media: { describeImage: null, transcribe: null },
    embedder: null,
    model: {},
    wakeIndexer: () => Promise.resolve(void calls++),
    timeouts: { sweep: 1_000, sweepCalls: 4_000, responseRemovals: 1_000 },
  } as unknown as Services;
  const sweeper = createSweeper(services, createWorkBudget({ limit: 100, spent: 0 }));
  return {
    ask: () => sweeper(() => {}),
    looks,
    letGo: (look: number) => looks[look]!.resolve(nothingToDo),
    get calls() {
      return calls;
    },
  };
}

Deno.test("createSweeper", async (t) => {
  await t.step("who asks during a sweep has it look once more, however many they are", async () => {
    using _clock = useFakeClock();
    const sweeper = startSweeper();
    const asked = [sweeper.ask(), sweeper.ask(), sweeper.ask()];
    assertEquals(sweeper.looks.length, 1);
    sweeper.letGo(0);
    // The second look shows that the first is over.
    while (sweeper.looks.length < 2) await Promise.resolve();
    sweeper.letGo(1);
    await Promise.all(asked);
    assertEquals([sweeper.looks.length, sweeper.calls], [2, 0]);
  });

  await t.step("who asks afterwards begins another one", async () => {
    using _clock = useFakeClock();
    const sweeper = startSweeper();
    for (const look of [0, 1]) {
      const asked = sweeper.ask();
      sweeper.letGo(look);
      await asked;
    }
    assertEquals([sweeper.looks.length, sweeper.calls], [2, 0]);
  });

  await t.step("who asked so long ago that the isolate may be retired has the platform choose another", async () => {
    using clock = useFakeClock();
    const sweeper = startSweeper();
    const asked = [sweeper.ask(), sweeper.ask()];
    clock.tick(1_000);
    sweeper.letGo(0);
    await Promise.all(asked);
    assertEquals([sweeper.looks.length, sweeper.calls], [1, 1]);
  });
});
