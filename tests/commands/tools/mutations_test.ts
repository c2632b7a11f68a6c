import { join } from "node:path";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { change, type Mutation, subjects } from "../../mutations/mutation.ts";
import { assert, assertEquals, assertThrows } from "../../support/assert.ts";
import { isFile } from "../../support/is_file.ts";

const mutations = Object.values(subjects).flat();

Deno.test("every wrong change fits the code as it is, and names tests that exist", async () => {
  for (const mutation of mutations) {
    const { name, file, tests } = mutation;
    const text = await Deno.readTextFile(join(projectRoot, file));
    assert(change(text, mutation) !== text, name);
    assert(tests.length > 0, name);
    for (const test of tests) assert(isFile(join(projectRoot, test)), `${name}: ${test}`);
  }
  assertEquals(new Set(mutations.map(({ name }) => name)).size, mutations.length);
});

Deno.test("a wrong change whose text is not there once is an error", () => {
  const mutation: Mutation = { name: "n", file: "f", before: "a > b", after: "a >= b", tests: [] };
  assertEquals(change("if (a > b) $&", mutation), "if (a >= b) $&");
  assertThrows(() => change("a < b", mutation), Error, '"n" does not apply: f contains its text 0 times, not once');
  assertThrows(() => change("a > b, a > b", mutation), Error, "2 times, not once");
});
