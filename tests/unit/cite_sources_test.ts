import { pickQuote } from "../../shared/features/chat/prompt/cite_sources.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { sentences } from "../support/sample_documents.ts";

const passage =
  "Trust takes years.\n\nTo give feedback well, describe what you saw. Then ask the other person what they make of " +
  "it! Nobody likes surprises.\nMeetings   need an end.";

const cases: Record<string, { content?: string; question: string; quote: string }> = {
  "the sentence that shares the most words": { question: "How long do meetings need?", quote: "Meetings need an end." },
  "two sentences in a row when both share words": {
    question: "feedback to another person",
    quote: "To give feedback well, describe what you saw. Then ask the other person what they make of it!",
  },
  "other forms of a word count": { question: "surprised", quote: "Nobody likes surprises." },
  "parts of a word do not count": { question: "rust", quote: "Trust takes years." },
  "capital letters do not matter": { question: "NOBODY", quote: "Nobody likes surprises." },
  "the beginning when no word is shared": { question: "zebra", quote: "Trust takes years." },
  "the beginning when the question has no words": { question: "?! \n", quote: "Trust takes years." },
  "signs of patterns are harmless": { question: "(.*)+ [likes] \\ $", quote: "Nobody likes surprises." },
  "Chinese by its characters": {
    content: "好的教练先提问。团队的信任来自小承诺。完。",
    question: "信任来自哪里？",
    quote: "团队的信任来自小承诺。",
  },
  "a heading in the text with the sentence below it": {
    content: "Drink enough.\n\nWho must not fast\n\nPeople with diabetes. Children.\n\nThe end",
    question: "Who must not fast?",
    quote: "Who must not fast People with diabetes.",
  },
  "an empty quote of an empty passage": { content: "", question: "feedback", quote: "" },
};

Deno.test("pickQuote", async (t) => {
  for (const [promise, { content = passage, question, quote }] of Object.entries(cases)) {
    await t.step(promise, () => assertEquals(pickQuote(content, question), quote));
  }

  await t.step("a long sentence is cut between words, around the words of the question", () => {
    const words = Array.from({ length: 200 }, (_, i) => `word${i}x`);
    const quote = pickQuote(words.with(150, "feedback").join(" "), "feedback?");
    assert(quote.length <= 300 && quote.includes("feedback"), quote);
    assert(quote.startsWith("…") && quote.endsWith("…"), quote);
    assert(quote.slice(1, -1).split(" ").every((word) => word === "feedback" || words.includes(word)), quote);
  });

  await t.step("no quote is longer than 300 characters, and each is part of the passage", () => {
    const texts = [
      "x".repeat(1_000),
      "😀".repeat(500),
      "word ".repeat(300),
      sentences(30).join(" "),
      `${"y".repeat(299)} z`,
    ];
    for (const text of texts) {
      for (const question of ["zzz", "growth and feedback", "word", "x", "😀"]) {
        const quote = pickQuote(text, question);
        assert(quote.length > 0 && quote.length <= 300 && quote.isWellFormed(), quote);
        assert(text.includes(quote.replace(/^…/, "").replace(/…$/, "")), quote);
      }
    }
  });
});
