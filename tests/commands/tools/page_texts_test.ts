import { part, plural, startOf, whole } from "../../browser/texts.ts";
import { assertEquals } from "../../support/assert.ts";

Deno.test("the texts that page tests look for", async (t) => {
  await t.step("a pattern of a whole text matches it with its values, and nothing longer", () => {
    const pattern = whole("Until {time}, {count} may wait.", { count: /\d+/ });
    const texts = ["Until noon, 3 may wait.", "\n Until noon, 3 may wait.\n"];
    const others = ["Until noon, some may wait.", "Not until noon, 3 may wait.", "Until noon, 3 may wait. Or not."];
    assertEquals([...texts, ...others].map((text) => pattern.test(text)), [true, true, false, false, false]);
  });

  await t.step("a start has no end, and a part no start", () => {
    const texts = ["Name of the persona", "The Name", "The name"];
    assertEquals(texts.map((text) => startOf("Name").test(text)), [true, false, false]);
    assertEquals(texts.map((text) => part("Name").test(text)), [true, true, false]);
    assertEquals(part("page {page}", { page: /(\d)/ }).exec("The bedroom · page 3")?.[1], "3");
  });

  await t.step("characters with a meaning in patterns stand for themselves", () => {
    assertEquals(["Why (not)?", "Why not", "Wh"].map((text) => whole("Why (not)?").test(text)), [true, false, false]);
    assertEquals(whole("A.").test("AB"), false);
  });

  await t.step("a plural has the form of its number", () => {
    assertEquals([1, 2].map((count) => plural({ one: "{count} day", other: "{count} days" }, count)), [
      "1 day",
      "2 days",
    ]);
  });
});
