import { assertEquals } from "deno-std/assert/mod.js";
import { nameNote } from "../../shared/knowledge/store_note.ts";

const cases: Record<string, [text: string, name: string]> = {
  "a short note names itself": ["Listen first", "Listen first.md"],
  "marks of Markdown are dropped": ["## *Listen* `first`\n\nThen speak.", "Listen first.md"],
  "a long line is cut at a word": [
    "Before I hand something over I answer five questions in writing and sign them",
    "Before I hand something over I answer five questions in.md",
  ],
  "one endless word is cut inside": ["x".repeat(100), `${"x".repeat(60)}.md`],
  "paths and quotes do not survive in a name that is ours": ['../../etc/"passwd"', "etc passwd.md"],
  "blank lines come before the first words": ["\n\n  - Rest is part of the work.", "Rest is part of the work.md"],
  "characters beyond the first plane are whole": ["😀".repeat(61), `${"😀".repeat(60)}.md`],
  "nothing but marks": ["***", "Note.md"],
  "nothing but marks for long": [`a${".".repeat(100_000)}b`, "a.md"],
};

Deno.test("nameNote", async (t) => {
  for (const [name, [text, expected]] of Object.entries(cases)) {
    await t.step(name, () => assertEquals(nameNote(text), expected));
  }
});
