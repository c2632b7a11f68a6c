import { wrapWords } from "../../shared/clients/terminal/wrap_words.ts";
import { assertEquals } from "../support/assert.ts";

/** The output to a terminal of this width for a text that arrives in these pieces. */
function shown(columns: number | undefined, pieces: string[]): string {
  let printed = "";
  const { write, flush } = wrapWords((text) => printed += text, () => columns);
  for (const piece of pieces) write(piece);
  flush();
  return printed;
}

Deno.test("wrapWords", async (t) => {
  const cases: [name: string, columns: number | undefined, text: string, shown: string][] = [
    ["breaks lines between words", 10, "One two three four.", "One two\nthree\nfour."],
    ["fills a line to its last column", 7, "One two three", "One two\nthree"],
    ["keeps the text's own lines", 10, "One\n\ntwo three four\nfive", "One\n\ntwo three\nfour\nfive"],
    ["keeps indents, also of a list", 10, "- a\n    - b c d e", "- a\n    - b c\nd e"],
    ["keeps several spaces within a line", 20, "a   b", "a   b"],
    ["puts a word that is too long on a line of its own", 5, "a abcdefgh b", "a\nabcdefgh\nb"],
    ["counts characters, not code units", 5, "😀😀 😀😀 é", "😀😀 😀😀\né"],
    ["breaks between characters where there are no spaces", 6, "你好世界 hi", "你好世\n界 hi"],
    ["breaks no line without a terminal", undefined, `${"word ".repeat(100)}end`, `${"word ".repeat(100)}end`],
    ["takes out what could control the terminal", 40, "a\x1b[2J\rb\x07\x9bc\td", "a[2Jbc\td"],
  ];
  for (const [name, columns, text, expected] of cases) {
    await t.step(name, () => {
      assertEquals(shown(columns, [text]), expected);
      assertEquals(shown(columns, [...text]), expected, "in pieces of one character");
      assertEquals(shown(columns, text.split(/(?<=\w)(?=\w)/)), expected, "in pieces of words");
    });
  }

  await t.step("shows a word as soon as the next one begins", () => {
    const printed: string[] = [];
    const { write, flush } = wrapWords((text) => printed.push(text), () => 80);
    write("One tw");
    assertEquals(printed, ["One"]);
    write("o ");
    assertEquals(printed, ["One", " two"]);
    write("three");
    flush();
    assertEquals(printed, ["One", " two", " three"]);
  });

  await t.step("goes by the width that the terminal has now", () => {
    let [printed, columns] = ["", 20];
    const { write, flush } = wrapWords((text) => printed += text, () => columns);
    write("One two three\n");
    columns = 5;
    write("One two three");
    flush();
    assertEquals(printed, "One two three\nOne\ntwo\nthree");
  });
});
