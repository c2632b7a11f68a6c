import { createSemaphore } from "./semaphore.ts";
import { assertEquals } from "../../../tests/support/assert.ts";

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
