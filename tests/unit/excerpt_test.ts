import { initialsOf, withoutMarks } from "../../shared/clients/page/ui/excerpt.ts";
import { assertEquals } from "../support/assert.ts";

Deno.test("what is read aloud and shown in one line has no marks of Markdown", () => {
  const cases: Record<string, string> = {
    "- [x] Buy skyr": "Buy skyr",
    "See [the guide](https://example.com/a_b).": "See the guide.",
    "See [the guide](https://exam": "See the guide",
    "**Take** *care*": "Take *care*",
    "# Title\n> said": "Title\nsaid",
    "$p = 0.4$ g": "p = 0.4 g",
    "**statins**. - Cook": "statins. - Cook",
    "3 * 4 and $5": "3 * 4 and 5",
  };
  for (const [text, plain] of Object.entries(cases)) assertEquals(withoutMarks(text), plain);
});

Deno.test("initials are those of the name, not of its titles", () => {
  const cases: Record<string, string> = {
    "Dr. Lena Hoffmann": "LH",
    "Prof. Dr. Ada King Byron": "AB",
    "Dr Jon Snow": "JS",
    "د. سلمى حداد": "سح",
    "A. Byron": "AB",
    "Ada": "A",
    "Anna Anna": "AA",
    "": "",
    "Dr.": "D",
    "😀 ünal": "😀Ü",
  };
  for (const [name, initials] of Object.entries(cases)) assertEquals(initialsOf(name), initials);
});
