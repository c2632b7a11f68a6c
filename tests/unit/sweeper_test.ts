import { createSweeper, type IndexingWork } from "../../shared/features/background/sweeper.ts";
import { repeat } from "../../shared/core/sweeps.ts";
import { createWorkBudget } from "../../shared/core/work_budget.ts";
import type { IndexerServices } from "../../shared/features/background/meter_services.ts";
import { assertEquals } from "../support/assert.ts";
import { useFakeClock } from "../support/fake_clock.ts";

const nothingToDo: IndexingWork = {
  removals: { knowledge: [], pictures: [] },
  responses: [],
  hasMoreResponses: false,
  hasRemovedPassages: false,
  hasDueRetention: false,
  hasUnsearchableThreads: false,
  hasWebhookMessages: false,
  hasWaitingTurns: false,
  hasBudgets: false,
  phrases: [],
  hasDueQuestions: false,
  hasComparisons: false,
  hasDueTopics: false,
  hasTests: false,
  modelCheck: null,
  file: null,
};

/** A sweeper whose reads of the work list wait until the test answers them; they find no work. */
function startSweeper() {
  const reads: PromiseWithResolvers<unknown>[] = [];
  let calls = 0;
  const services = {
    database: {
      call() {
        const read = Promise.withResolvers<unknown>();
        reads.push(read);
        return read.promise;
      },
    },
    files: {},
    media: { describeImage: null, transcribe: null },
    embedder: null,
    model: {},
    wakeIndexer: () => Promise.resolve(void calls++),
    timeouts: { sweep: 1_000, sweepCalls: 4_000, responseRemovals: 1_000 },
  } as unknown as IndexerServices;
  const sweeper = createSweeper(services, createWorkBudget({ limit: 100, spent: 0 }));
  return {
    ask: () => sweeper(() => {}),
    reads,
    answer: (read: number) => reads[read]!.resolve(nothingToDo),
    get calls() {
      return calls;
    },
  };
}

Deno.test("createSweeper", async (t) => {
  await t.step("any number of calls during a sweep make it read the work list once more", async () => {
    using _clock = useFakeClock();
    const sweeper = startSweeper();
    const asked = [sweeper.ask(), sweeper.ask(), sweeper.ask()];
    assertEquals(sweeper.reads.length, 1);
    sweeper.answer(0);
    // The second read shows that the first is over.
    while (sweeper.reads.length < 2) await Promise.resolve();
    sweeper.answer(1);
    await Promise.all(asked);
    assertEquals([sweeper.reads.length, sweeper.calls], [2, 0]);
  });

  await t.step("a call after a sweep begins another one", async () => {
    using _clock = useFakeClock();
    const sweeper = startSweeper();
    for (const read of [0, 1]) {
      const asked = sweeper.ask();
      sweeper.answer(read);
      await asked;
    }
    assertEquals([sweeper.reads.length, sweeper.calls], [2, 0]);
  });

  await t.step(
    "when the sweep takes so long that the isolate may be retired, the calls wake another isolate",
    async () => {
      using clock = useFakeClock();
      const sweeper = startSweeper();
      const asked = [sweeper.ask(), sweeper.ask()];
      clock.tick(1_000);
      sweeper.answer(0);
      await Promise.all(asked);
      assertEquals([sweeper.reads.length, sweeper.calls], [1, 1]);
    },
  );
});

Deno.test("repeat: one step at least, and more while there are any and there is time", async () => {
  const seen = [];
  for (const [most, time] of [[3, 0], [3, 1], [3, 9], [1, 9]] as const) {
    let [steps, looks] = [0, 0];
    const hasMore = await repeat(() => Promise.resolve(++steps < most), () => ++looks <= time);
    seen.push([steps, hasMore]);
  }
  assertEquals(seen, [[1, true], [2, true], [3, false], [1, false]]);
});
