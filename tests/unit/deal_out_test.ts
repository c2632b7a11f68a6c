import { assertEquals } from "../support/assert.ts";
import { dealOut, nightly } from "../support/slow.ts";

Deno.test("places are dealt out to combinations", async (t) => {
  const [rows, places] = [["light", "dark"], ["a", "b", "c"]];
  const before = Deno.env.get("TEST_ROTATION");
  const dealtAt = (rotation: number) => {
    Deno.env.set("TEST_ROTATION", String(rotation));
    return dealOut(rows, places);
  };

  await t.step({
    name: "each has one, and over the runs all",
    ignore: !nightly.ignore,
    fn() {
      assertEquals(dealtAt(4), [["light", ["a", "c"]], ["dark", ["b"]]]);
      assertEquals(dealtAt(5), [["light", ["b"]], ["dark", ["a", "c"]]]);
    },
  });
  await t.step({
    name: "at night, each has all",
    ...nightly,
    fn() {
      assertEquals(dealtAt(4), [["light", places], ["dark", places]]);
    },
  });
  await t.step({
    name: "a combination that has none is left out",
    ignore: !nightly.ignore,
    fn() {
      Deno.env.set("TEST_ROTATION", "1");
      assertEquals(dealOut(rows, ["a"]), [["dark", ["a"]]]);
    },
  });
  if (before === undefined) Deno.env.delete("TEST_ROTATION");
  else Deno.env.set("TEST_ROTATION", before);
});
