import { lazy } from "./lazy.ts";
import { createSemaphore } from "./semaphore.ts";
import { assertEquals, assertRejects } from "../../../tests/support/assert.ts";

Deno.test("a semaphore lets in so many, and so many of one owner", () => {
  const semaphore = createSemaphore();
  const enter = (owner: string) => semaphore.enter(owner, { limit: 3, share: 2 });
  const leave = enter("a");
  assertEquals([enter("a"), enter("a"), enter("b"), enter("c")].map((left) => left !== null), [
    true,
    false,
    true,
    false,
  ]);
  leave!();
  assertEquals([enter("b"), enter("c")].map((left) => left !== null), [true, false]);
});

Deno.test("what is loaded once is loaded again only if that failed", async () => {
  let loads = 0;
  const load = lazy(async () => {
    await Promise.resolve();
    if (++loads === 1) throw new TypeError("out of reach");
    return { loads };
  });
  await Promise.all([1, 2].map(() => assertRejects(load, TypeError)));
  const [first, second] = await Promise.all([load(), load()]);
  assertEquals([loads, first === second, await load() === first], [2, true, true]);
});
