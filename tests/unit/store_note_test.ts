import { nameNote } from "../../shared/features/knowledge/store_note.ts";
import { assertEquals } from "../support/assert.ts";

const cases: Record<string, [text: string, name: string]> = {
  "a short note names itself": ["Listen first", "Listen first.md"],
  "Markdown signs are dropped": ["## *Listen* `first`\n\nThen speak.", "Listen first.md"],
  "a long line is cut at a word": [
    "Before I hand something over I answer five questions in writing and sign them",
    "Before I hand something over I answer five questions in.md",
  ],
  "a very long word is cut inside": ["x".repeat(100), `${"x".repeat(60)}.md`],
  "slashes and quotes are dropped": ['../../etc/"passwd"', "etc passwd.md"],
  "blank lines before the first words are skipped": [
    "\n\n  - Rest is part of the work.",
    "Rest is part of the work.md",
  ],
  "emoji are not cut in half": ["😀".repeat(61), `${"😀".repeat(60)}.md`],
  "a note of signs only is called Note": ["***", "Note.md"],
  "a long row of signs is dropped": [`a${".".repeat(100_000)}b`, "a.md"],
};

Deno.test("nameNote", async (t) => {
  for (const [name, [text, expected]] of Object.entries(cases)) {
    await t.step(name, () => assertEquals(nameNote(text), expected));
  }
});
