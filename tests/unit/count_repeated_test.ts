import { countRepeated } from "../../shared/features/reading/get_passage.ts";
import { createPassageSplitter } from "../../shared/libs/documents/split_passages.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { sentences } from "../support/sample_documents.ts";

const cases: Record<string, [before: string | undefined, content: string, repeated: string]> = {
  "nothing, of the first passage": [undefined, "Rest is work.", ""],
  "nothing, where passages do not overlap": ["Sleep is rest.", "Rest is work.", ""],
  "the last sentence": ["Sleep. Rest is work.", "Rest is work. So is play.", "Rest is work."],
  "a short one, too": ["A long sentence. Yes.", "Yes. And so on.", "Yes."],
  "the end of a paragraph": ["Sleep.\n\nRest is work.", "Rest is work.\n\nSo is play.", "Rest is work."],
  "words without the end of a sentence": ["He said that he", "that he would come", "that he"],
  "sentences of a language without spaces": ["团队。信任来自承诺。", "信任来自承诺。完。", "信任来自承诺。"],
  "not a part of a word": ["They like cats", "sand on the beach", ""],
  "not the beginning of a word": ["They like the", "there is more", ""],
  "never the whole passage": ["Same text.", "Same text.", ""],
};

Deno.test("countRepeated", async (t) => {
  for (const [promise, [before, content, repeated]] of Object.entries(cases)) {
    await t.step(promise, () => {
      const count = countRepeated(before === undefined ? undefined : { content: before }, { content });
      assertEquals(content.slice(0, count), repeated);
    });
  }

  await t.step("what the splitter repeats, of texts of every kind", () => {
    const long = "word ".repeat(2_000);
    const texts = [
      sentences(200).join(" "),
      long,
      "好的教练先提问。".repeat(600),
      sentences(90).join("\n\n"),
      "x".repeat(9_000),
    ];
    for (const text of texts) {
      const splitter = createPassageSplitter();
      const passages = [...splitter.push({ text, page: null, level: null }), ...splitter.end()];
      assert(passages.length > 1);
      const rest = passages.map((passage, i) => passage.content.slice(countRepeated(passages[i - 1], passage)));
      // Where the same words stand everywhere, nobody can tell which of them are repeated.
      if (new Set(text.split(" ")).size < 10) continue;
      assertEquals(rest.join("").replace(/\s/g, ""), text.replace(/\s/g, ""));
    }
  });
});
