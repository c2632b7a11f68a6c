import { pooledMap, retry } from "./std/async.ts";
import { assertEquals, assertThrows } from "../../../tests/support/assert.ts";

// npm run check fails where a line is accepted that is marked as an error.
Deno.test("the compiler checks what is given to the standard library", async () => {
  // @ts-expect-error: two values of different types, and arguments that nobody reads
  assertThrows(() => assertEquals(1, "2", 3, 4, 5));
  // @ts-expect-error: a text is not a number
  const text: number = await retry(() => "text");
  assertEquals<unknown>(text, "text");
  // @ts-expect-error: the results are numbers
  const results: string[] = await Array.fromAsync(pooledMap(2, [1, 2, 3], (value) => Promise.resolve(value + 1)));
  assertEquals<unknown>(results, [2, 3, 4]);
});
