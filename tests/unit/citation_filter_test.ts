import { createCitationFilter, dropCitations } from "../../shared/core/answers/citation_filter.ts";
import type { Source } from "../../shared/core/answers/stored_answer.ts";
import { assert, assertEquals } from "../support/assert.ts";

const sources = ["a", "b", "c", "d"].map((passageId): Source => ({
  kind: "passage",
  passageId,
  fileId: "f",
  file_id: "f",
  source_url: null,
  position: 0,
  filename: `${passageId}.md`,
  page: null,
  heading: null,
  quote: "",
  score: 1,
}));

/** The text shown of one that arrives in these chunks, and the sources in the order of their numbers. */
function read(...chunks: string[]): [text: string, named: string] {
  const filter = createCitationFilter(sources);
  const text = chunks.map((chunk) => filter.read(chunk)).join("") + filter.end();
  const named = filter.sources!.filter(({ number }) => number).toSorted((one, other) => one.number! - other.number!);
  return [text, named.map((source) => source.kind === "passage" ? source.passageId : "").join("")];
}

const cases: [name: string, text: string, shown: string, named: string][] = [
  ["no citation", "Two, both blue.", "Two, both blue.", ""],
  ["in the order of first appearance", "Sleep [3]. Walk [1], rest [3].", "Sleep [1]. Walk [2], rest [1].", "ca"],
  ["several in one pair of brackets", "Walk [2, 4].", "Walk [1][2].", "bd"],
  ["with a semicolon, and without spaces", "Walk [2;4,1].", "Walk [1][2][3].", "bda"],
  ["a range", "Walk [2–4].", "Walk [1][2][3].", "bcd"],
  ["side by side", "Walk [2][1][2].", "Walk [1][2][1].", "ba"],
  ["the same twice in one pair is none", "Walk [2, 2] of [1, 1, 2, 3].", "Walk [2, 2] of [1, 1, 2, 3].", ""],
  ["with the commas of Chinese and Japanese", "走る[2，4]。歩く[1、3]。", "走る[1][2]。歩く[3][4]。", "bdac"],
  ["wide brackets", "散歩する【2】。Walk 【3†c.md】.", "散歩する[1]。Walk [2].", "bc"],
  ["as a footnote", "Walk[^3] and rest [^1, ^2].", "Walk[1] and rest [2][3].", "cab"],
  ["right after a word", "Walk[3].", "Walk[1].", "c"],
  ["at the beginning, and after a line break", "[2] Walk.\n[1] Rest.", "[1] Walk.\n[2] Rest.", "ba"],
  ["within bold text, a list and a quotation", "- **Walk [2]**\n> [1] Rest.", "- **Walk [1]**\n> [2] Rest.", "ba"],
  ["a number that no source has, with its space", "Walk [9]. Rest [0], run [5] now [12].", "Walk. Rest, run now.", ""],
  ["of several, only that number", "Walk [9, 2]. Rest [4, 1, 12].", "Walk [1]. Rest [2][3].", "bda"],
  ["a place in a search that never was", "Walk 【4:0†source】. Rest【12:3】.", "Walk. Rest.", ""],
  [
    "intervals and scales are text",
    "In [0, 1], [0-2], [3, 10], [5, 10] or [1–10], walk [2-3].",
    "In [0, 1], [0-2], [3, 10], [5, 10] or [1–10], walk [1][2].",
    "bc",
  ],
  ["after a sign of mathematics", "x ∈ [1, 2], a = [3], walk [3]", "x ∈ [1, 2], a = [3], walk [1]", "c"],
  [
    "matrices",
    "[[1, 2], [2, 3],\n [3, 4]] and [1, 2; 3, 4], walk [3]. [[4]]",
    "[[1, 2], [2, 3],\n [3, 4]] and [1, 2; 3, 4], walk [1]. [[2]]",
    "cd",
  ],
  [
    "elements of arrays",
    "items[0] and items[0][1], f(x)[0]; walk[3], rest[9] [0]",
    "items[0] and items[0][1], f(x)[0]; walk[1], rest",
    "c",
  ],
  [
    "what a word before it counts",
    "Chapter [12], Seite [40], الفصل [12]; bookchapter [12], this chapter [3]",
    "Chapter [12], Seite [40], الفصل [12]; bookchapter, this chapter [1]",
    "c",
  ],
  ["years and longer numbers are text", "In [2024] and [1000].", "In [2024] and [1000].", ""],
  ["round brackets are text", "(1) Walk. (2) Rest (1).", "(1) Walk. (2) Rest (1).", ""],
  ["other text in brackets", "[x] [ ] [] [1 walk] [a1] 【注】 [1", "[x] [ ] [] [1 walk] [a1] 【注】 [1", ""],
  ["tasks", "- [ ] walk [2]\n- [x] rest", "- [ ] walk [1]\n- [x] rest", "b"],
  ["links and images", "[1](https://a.test/) ![2](b.png) [3] (c)", "[1](https://a.test/) ![2](b.png) [1] (c)", "c"],
  ["the definition of a link", "[x][1], [3].\n\n[3]: https://a.test", "[x][1], [2].\n\n[3]: https://a.test", "ac"],
  ["an address", "https://a.test/?x[1]=2 walk [3]", "https://a.test/?x[1]=2 walk [1]", "c"],
  ["after a link", "[a](https://a.test)[3] <https://b.test>[1]", "[a](https://a.test)[1] <https://b.test>[2]", "ca"],
  ["formulas and escapes", "\\[1\\] and \\[2]", "\\[1\\] and \\[2]", ""],
  ["code in a line", "Take `list[1]`, ``a`[2]``, then [3].", "Take `list[1]`, ``a`[2]``, then [1].", "c"],
  [
    "an open backtick, until the paragraph ends",
    "A ` is [1].\nSo [2].\n\nWalk [3].",
    "A ` is [1].\nSo [2].\n\nWalk [1].",
    "c",
  ],
  ["a block of code", "```ts\na[1] `b[2]\n\nc[9]\n```\nWalk [3].", "```ts\na[1] `b[2]\n\nc[9]\n```\nWalk [1].", "c"],
  [
    "a block in a list, with tildes",
    "- ~~~\n  a[1]\n  ```\n  ~~~~\n  Walk [3].",
    "- ~~~\n  a[1]\n  ```\n  ~~~~\n  Walk [1].",
    "c",
  ],
  ["code that looks like a block", "```a[1]``` then [3].\n`b[1]`", "```a[1]``` then [1].\n`b[1]`", "c"],
  ["a block that has no end", "Walk [2].\n```\na[1]", "Walk [1].\n```\na[1]", "b"],
  ["crossed out", "~~walk [3]~~ ~ [2]", "~~walk [1]~~ ~ [2]", "cb"],
];

Deno.test("citations of a model", async (t) => {
  for (const [name, text, shown, named] of cases) {
    await t.step(name, () => assertEquals(read(text), [shown, named]));
    await t.step(`${name}: in chunks`, () => {
      for (let at = 1; at < text.length; at++) {
        assertEquals(read(text.slice(0, at), text.slice(at)), [shown, named], `split at ${at}`);
      }
      assertEquals(read(...text), [shown, named], "character by character");
    });
  }
  await t.step("only what may become a citation is held back", () => {
    const filter = createCitationFilter(sources);
    const seen = ["Walk ", "fast", "[", "1", "]", " now", " [x", "] 【", "2", "】!"].map((chunk) => filter.read(chunk));
    assertEquals(seen, ["Walk", " fast", "", "", "", "[1] now", " [x", "]", "", " [2]!"]);
    // Nothing waits long: a citation has an end.
    assert(filter.read(`[${"1, ".repeat(100)}`).length > 200);
  });
  await t.step("without sources, the text is not changed", () => {
    const filter = createCitationFilter(null);
    assertEquals([filter.read("Walk [1"), filter.read("] "), filter.end(), filter.sources], [
      "Walk [1",
      "] ",
      "",
      null,
    ]);
  });
  await t.step("when the sources are forgotten, citations are dropped", () => {
    const filter = createCitationFilter(sources);
    filter.forget();
    assertEquals([filter.read("Walk [1]."), filter.sources], ["Walk.", []]);
  });
  await t.step("a former answer goes to the model without them", () => {
    assertEquals(dropCitations("Walk [1][2], `a[1]` [x]. Rest [2] "), "Walk, `a[1]` [x]. Rest ");
    assertEquals(dropCitations("Walk."), "Walk.");
  });
});
