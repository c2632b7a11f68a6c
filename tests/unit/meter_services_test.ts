import * as z from "zod/mini";
import { costs, type IndexerServices, meterServices } from "../../shared/features/background/meter_services.ts";
import { createWorkBudget, type WorkBudget } from "../../shared/core/work_budget.ts";
import { assertEquals } from "../support/assert.ts";
import { type FakeClock, useFakeClock } from "../support/fake_clock.ts";

const tenMegabytes = new Uint8Array(10 * 1024 * 1024);
const { signal } = new AbortController();

/** Services that take a minute of the fake clock to answer. */
function createSlowServices(clock: FakeClock): IndexerServices {
  async function answer<Result>(result: Result): Promise<Result> {
    await Promise.resolve();
    clock.tick(60_000);
    return result;
  }
  return {
    database: { call: () => answer(null), callForBytes: () => answer(tenMegabytes) },
    files: { get: () => answer(tenMegabytes), put: () => answer(undefined), remove: () => answer(undefined) },
    embedder: { model: "e", embed: () => answer([]) },
    media: { describeImage: () => answer(""), transcribe: null },
    model: { remove: () => answer(undefined) },
    catalogue: { configured: [], list: () => answer(null) },
    wakeIndexer: () => answer(undefined),
  } as unknown as IndexerServices;
}

/** The time that a budget has counted, in whole milliseconds. */
async function countedFor(run: (services: IndexerServices) => Promise<unknown>): Promise<number> {
  using clock = useFakeClock();
  const limit = 1_000;
  const budget: WorkBudget = createWorkBudget({ limit, spent: 0 });
  await budget.work(() => run(meterServices(createSlowServices(clock), budget)));
  let left = 0;
  while (!budget.isSpent()) {
    budget.charge(1);
    left++;
  }
  return limit - left;
}

const calls: Record<string, { run: (services: IndexerServices) => Promise<unknown>; cost: number }> = {
  "a call of the database": { run: ({ database }) => database.call("take_indexing_work", {}, z.null()), cost: 0 },
  "10 MB from Storage": { run: ({ files }) => files.get("path", signal), cost: 10 * costs.megabyteReceived },
  "removing objects": { run: ({ files }) => files.remove(["path"]), cost: 0 },
  "50 vectors": { run: ({ embedder }) => embedder!.embed(Array(50).fill("text"), signal), cost: 50 * costs.vector },
  "an image of 10 MB": {
    run: ({ media }) => media.describeImage!({ bytes: tenMegabytes, contentType: "image/png" }, signal),
    cost: 10 * costs.megabyteSent,
  },
  "removing a response": { run: ({ model }) => model.remove("resp", signal), cost: 0 },
  "a list of models": { run: ({ catalogue }) => catalogue.list(signal), cost: costs.modelList },
  "calling for another sweep": { run: ({ wakeIndexer }) => wakeIndexer(() => {}), cost: 0 },
};

Deno.test("meterServices: waiting does not count, the work of a call does", async (t) => {
  for (const [what, { run, cost }] of Object.entries(calls)) {
    await t.step(what, async () => assertEquals(await countedFor(run), costs.request + cost));
  }

  await t.step("services that are not configured stay null", () => {
    using clock = useFakeClock();
    const budget = createWorkBudget({ limit: 1, spent: 0 });
    const { embedder, media } = meterServices({ ...createSlowServices(clock), embedder: null }, budget);
    assertEquals([embedder, media.transcribe], [null, null]);
  });
});
