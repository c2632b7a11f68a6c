import { Action, Loading, PagedList, type PageQuery } from "../../shared/clients/page/desk/state/work.ts";
import { assertEquals } from "../support/assert.ts";

Deno.test("a command runs once at a time, and reports its failure", async () => {
  const action = new Action();
  const failures: unknown[] = [];
  action.onFailure = (error) => failures.push(error);
  let changes = 0;
  action.observe(() => changes++);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = action.run(() => promise);
  assertEquals([action.isBusy, await action.run(() => Promise.resolve())], [true, false]);
  resolve();
  assertEquals([await first, action.isBusy, action.error, changes], [true, false, null, 2]);
  const error = new Error("It failed");
  assertEquals(await action.run(() => Promise.reject(error)), false);
  assertEquals([action.isBusy, action.error, failures], [false, error, [error]]);
  await action.run(() => Promise.resolve());
  assertEquals(action.error, null);
});

Deno.test("of two readings the later one counts, and a failure leaves the value", async () => {
  const replies: PromiseWithResolvers<string>[] = [];
  const signals: AbortSignal[] = [];
  const loading = new Loading(({ signal }) => {
    signals.push(signal);
    return (replies[signals.length - 1] = Promise.withResolvers<string>()).promise;
  });
  const [early, late] = [loading.load(), loading.load()];
  assertEquals(signals.map(({ aborted }) => aborted), [true, false]);
  replies[1]!.resolve("late");
  await late;
  replies[0]!.resolve("early");
  await early;
  assertEquals([loading.value, loading.isBusy], ["late", false]);
  const failing = loading.load();
  const error = new Error("It failed");
  replies[2]!.reject(error);
  await failing;
  assertEquals([loading.value, loading.error], ["late", error]);
  loading.clear();
  assertEquals([loading.value, loading.error], [null, null]);
});

Deno.test("a reading is canceled when its observer leaves", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  let signal: AbortSignal | undefined;
  const loading = new Loading((options) => ({ signal } = options, promise));
  const leave = loading.observe(() => {});
  const reading = loading.load();
  leave();
  assertEquals([signal?.aborted, loading.isBusy], [true, false]);
  resolve("too late");
  await reading;
  assertEquals(loading.value, null);
});

Deno.test("a list grows by a page at a time, and a failed page is asked for again", async () => {
  const queries: PageQuery[] = [];
  let isFailing = false;
  const list = new PagedList((query) => {
    queries.push(query);
    if (isFailing) return Promise.reject(new Error("It failed"));
    const start = Number(query.cursor ?? 0);
    const data = Array.from({ length: query.limit }, (_, index) => ({ id: start + index }));
    return Promise.resolve({ data, next_cursor: String(start + query.limit) });
  });
  await list.restart();
  assertEquals([list.items?.length, list.hasMore], [20, true]);
  isFailing = true;
  await list.more();
  assertEquals(list.items?.length, 20);
  isFailing = false;
  await list.more();
  assertEquals(list.items?.length, 40);
  assertEquals(queries.map(({ limit }) => limit), [20, 40, 40]);
  await list.restart();
  assertEquals(list.items?.length, 20);
});
