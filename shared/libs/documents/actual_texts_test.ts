import { findActualTexts, type Mark, writeActualTexts } from "./actual_texts.ts";
import type { TextItem } from "./join_lines.ts";
import { assertEquals } from "../../../tests/support/assert.ts";

const run = (str: string, x: number, width = 6): TextItem => ({
  str,
  dir: "ltr",
  transform: [12, 0, 0, 12, x, 700],
  width,
  height: 12,
  hasEOL: false,
});
const [begin, end]: Mark[] = [{ type: "beginMarkedContentProps" }, { type: "endMarkedContent" }];
const shown = (items: (TextItem | Mark)[], texts: (string | null)[]) =>
  writeActualTexts(items, texts).map(({ str, transform, width }) => [str, transform[4], width]);

Deno.test("findActualTexts: one for each marked part, in the order of the content", () => {
  const content = "/P <</MCID 0>> BDC /Span<</ActualText <FEFF0915>>> BDC (BDC \\) BMC) Tj EMC EMC /Artifact BMC EMC " +
    "/Span <</ActualText (fi)>>BDC EMC";
  assertEquals(findActualTexts(content), [null, "क", null, "fi"]);
});

Deno.test("writeActualTexts: the runs of a part become one", () => {
  const marked = [run("a", 0), begin!, run("x", 6), run("y", 12), end!, run("b", 18)];
  assertEquals(shown(marked, ["क्"]), [["a", 0, 6], ["क्", 6, 12], ["b", 18, 6]]);
  assertEquals(shown(marked, [null]), [["a", 0, 6], ["x", 6, 6], ["y", 12, 6], ["b", 18, 6]]);
  assertEquals(shown(marked, ["क्", "more"]), shown(marked, [null]), "a part of a form: which is which is unknown");
  assertEquals(shown([begin!, ...marked, end!], [null, "क्"]), shown(marked, ["क्"]), "a part in a part");
});

Deno.test("writeActualTexts: a part without a run stands in the middle of the one before it", () => {
  const marked = [run("ت", 0), begin!, end!, run("ی", 6)];
  assertEquals(shown(marked, ["\u200c"]), [["ت", 0, 6], ["\u200c", 3, 0], ["ی", 6, 6]]);
});

Deno.test("writeActualTexts: brackets stay as they look", () => {
  assertEquals(shown([begin!, run(")", 0), end!], ["("]), [[")", 0, 6]]);
});
