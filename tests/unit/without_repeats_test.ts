import { withoutRepeats } from "../../shared/clients/page/reader/reading.ts";
import { assertEquals } from "../support/assert.ts";

Deno.test("withoutRepeats", async (t) => {
  const passages = [
    { content: "One. Two.", repeats: 0 },
    { content: "Two. Three.", repeats: 4 },
    { content: "Three.\n\nFour.", repeats: 6 },
    { content: "Four. Five.", repeats: 5 },
  ];

  await t.step("cuts what passages share out of those around the whole one", () => {
    assertEquals(withoutRepeats(passages, 0), ["One. Two.", "Three.", "Four.", "Five."]);
    assertEquals(withoutRepeats(passages, 1), ["One.", "Two. Three.", "Four.", "Five."]);
    assertEquals(withoutRepeats(passages, 3), ["One.", "Two.", "Three.", "Four. Five."]);
  });

  await t.step("leaves nothing of a passage that is repeated whole, and everything of one that is not", () => {
    assertEquals(withoutRepeats([{ content: "One.", repeats: 0 }, { content: "One. Two.", repeats: 4 }], 1), [
      "",
      "One. Two.",
    ]);
    assertEquals(withoutRepeats([{ content: "One.", repeats: 0 }, { content: "Two.", repeats: 0 }], 0), [
      "One.",
      "Two.",
    ]);
  });
});
