import {
  enumerate,
  formatHundredths,
  formatList,
  formatSeconds,
  formatSize,
} from "../../shared/clients/page/desk/format.ts";
import { fillIn, plural, t } from "../../shared/clients/page/desk/texts.ts";
import { assertEquals } from "../support/assert.ts";

Deno.test("elements take the places that a sentence has for them", () => {
  assertEquals(fillIn("{you} answer until {time}.", { you: "A", time: "noon" }), [
    "",
    "A",
    " answer until ",
    "noon",
    ".",
  ]);
  assertEquals(fillIn("Nothing to fill in", { you: "A" }), ["Nothing to fill in"]);
  assertEquals(fillIn("{unknown}", {}), ["", "{unknown}", ""]);
});

Deno.test("sizes, durations and lists are written as in the language of the desk", () => {
  for (
    const [size, text] of [
      [1, "1 byte"],
      [999, "999 bytes"],
      [1_000, "1 kB"],
      [999_499, "999 kB"],
      [999_500, "1.0 MB"],
      [52_428_800, "52.4 MB"],
    ] as const
  ) assertEquals(formatSize(size), text);
  assertEquals([formatSeconds(0.04), formatSeconds(1.25)], ["0.0 seconds", "1.3 seconds"]);
  assertEquals([formatHundredths(0.1), formatHundredths(1_234.567)], ["0.10", "1,234.57"]);
  assertEquals([formatList(["a", "b"]), enumerate(["a", "b"])], ["a and b", "a, b"]);
});

Deno.test("a text has the form that its number asks for", () => {
  assertEquals([0, 1, 2].map((count) => plural(t.questions.times, count)), ["0 times", "once", "2 times"]);
  assertEquals(plural(t.answers.givenLast, 1_000, { time: "noon" }), "given 1,000 times word for word, last noon");
});
