import type { Block } from "./document_reader.ts";
import { createPassageSplitter, type Passage } from "./split_passages.ts";
import { isStorableText, splitSentences } from "../base/text.ts";
import { assert, assertEquals } from "../../../tests/support/assert.ts";
import { sentences } from "../../../tests/support/sample_documents.ts";

const paragraph = (text: string, page: number | null = null): Block => ({ text, page, level: null });
const heading = (level: number, text: string): Block => ({ text, page: null, level });
const countWords = (text: string) => text.split(/\s+/).length;

function split(...blocks: Block[]): Passage[] {
  const splitter = createPassageSplitter();
  return [...blocks.flatMap((block) => splitter.push(block)), ...splitter.end()];
}

const sentenceCases: Record<string, { text: string; sentences: string[] }> = {
  "marks end sentences": {
    text: "One. Two! Three? Four… Five",
    sentences: ["One. ", "Two! ", "Three? ", "Four… ", "Five"],
  },
  "quotes and brackets belong to the sentence": {
    text: '"One." (Two.) Three',
    sentences: ['"One." ', "(Two.) ", "Three"],
  },
  "a small letter continues the sentence": {
    text: "See e.g. this, approx. 3.5 m.",
    sentences: ["See e.g. this, approx. ", "3.5 m."],
  },
  "full-width marks need no space": { text: "第一句。第二句！」完", sentences: ["第一句。", "第二句！」", "完"] },
  "an empty text has no sentences": { text: "", sentences: [] },
};

Deno.test("splitSentences", async (t) => {
  for (const [promise, { text, sentences }] of Object.entries(sentenceCases)) {
    await t.step(promise, () => assertEquals(splitSentences(text), sentences));
  }
});

Deno.test("createPassageSplitter: sizes", async (t) => {
  const prose = sentences(600);
  const passages = split(...Array.from({ length: 100 }, (_, i) => paragraph(prose.slice(i * 6, i * 6 + 6).join(" "))));

  await t.step("passages are about 300 words, the last one too", () => {
    const words = passages.map(({ content }) => countWords(content));
    assert(words.every((count) => count >= 180 && count <= 375), words.join(" "));
  });

  await t.step("each passage repeats the last whole sentences of the one before, up to 50 words", () => {
    for (const [i, { content }] of passages.slice(1).entries()) {
      const before = passages[i]!.content;
      const repeated = splitSentences(content).map((sentence) => sentence.trim())
        .filter((sentence) => before.includes(sentence));
      assert(repeated.length >= 3 && countWords(repeated.join(" ")) <= 50, `${i}: ${repeated.length}`);
      assert(before.endsWith(repeated.at(-1)!) && content.startsWith(repeated[0]!));
    }
  });

  await t.step("no sentence is lost or cut", () => {
    for (const sentence of prose) assert(passages.some(({ content }) => content.includes(sentence)), sentence);
  });

  await t.step(
    "paragraphs stay apart",
    () => assert(passages.every(({ content }) => content.includes(".\n\nSentence"))),
  );

  await t.step("a short text is one passage, and an empty text none", () => {
    assertEquals(split(paragraph("Hello.")), [{ content: "Hello.", page: null, heading: null }]);
    const partly = split(paragraph("a"), { ...paragraph("b"), isRecognized: true });
    assertEquals(partly, [{ content: "a\n\nb", page: null, heading: null, is_recognized: true }]);
    assertEquals(split(), []);
    assertEquals(split(paragraph(" \n\t \u00ad\0")), []);
  });

  await t.step("Chinese is counted in characters", () => {
    const lengths = split(paragraph("团队的信任来自每天的小承诺。".repeat(300))).map(({ content }) => content.length);
    assert(lengths.every((length) => length >= 300 && length <= 900), lengths.join(" "));
  });

  const endless = {
    "words without sentences": "word ".repeat(20_000),
    "a line without spaces": "x".repeat(100_000),
    "emoji without spaces": `x${"😀".repeat(20_000)}`,
    "marks without words": ".".repeat(50_000),
    "lines without sentences": "a line of a list\n".repeat(5_000),
  };
  for (const [name, text] of Object.entries(endless)) {
    await t.step(`${name}: passages of limited length, whole characters, everything kept`, () => {
      const passages = split(paragraph(text));
      assert(
        passages.length > 10 && passages.every(({ content }) => content.length <= 2_500 && isStorableText(content)),
      );
      assert(!passages.some(({ content }) => content.includes("\ufffd")));
      assert(passages.reduce((sum, { content }) => sum + content.length, 0) >= text.trim().length * 0.98);
    });
  }
});

Deno.test("createPassageSplitter: headings", async (t) => {
  const long = sentences(12).join(" ");

  await t.step("a section is a passage under the path of its headings", () => {
    assertEquals(
      split(heading(1, "Trust"), heading(2, "Promises"), paragraph(long), heading(2, "Praise"), paragraph(long)),
      [
        { content: long, page: null, heading: "Trust > Promises" },
        { content: long, page: null, heading: "Trust > Praise" },
      ],
    );
  });

  await t.step("nothing is repeated across sections", () => {
    const passages = split(
      heading(1, "A"),
      paragraph(sentences(40).join(" ")),
      heading(1, "B"),
      paragraph("Only this."),
    );
    assertEquals(passages.at(-1), { content: "Only this.", page: null, heading: "B" });
  });

  await t.step("a tiny section is joined with the next, and both headings stay readable", () => {
    assertEquals(split(heading(1, "A"), paragraph("Tiny."), heading(1, "B"), paragraph(long)), [
      { content: `A\n\nTiny.\n\nB\n\n${long}`, page: null, heading: "B" },
    ]);
    const parts = [heading(1, "A"), heading(2, "First"), paragraph("Tiny."), heading(2, "Second"), paragraph(long)];
    assertEquals(split(...parts), [
      { content: `First\n\nTiny.\n\nSecond\n\n${long}`, page: null, heading: "A > Second" },
    ]);
  });

  await t.step("the heading of a passage is that of most of its words", () => {
    const short = sentences(4).join(" ");
    const [passage] = split(heading(1, "A"), paragraph(short), heading(1, "B"), paragraph("Tiny."));
    assertEquals(passage!.heading, "A");
  });

  await t.step("a heading without text is text", () => {
    assertEquals(split(heading(1, "A"), heading(1, "B"), heading(2, "C")).map(({ content }) => content), [
      "A\n\nB\n\nC",
    ]);
    assertEquals(split(heading(1, "Alone")), [{ content: "Alone", page: null, heading: "Alone" }]);
  });

  await t.step("no heading is longer than 300 characters, and the innermost one stays", () => {
    const levels = [1, 2, 3, 4].map((level) => heading(level, `${level} `.padEnd(200, "x")));
    const [passage] = split(...levels, paragraph(long));
    assert(passage!.heading!.startsWith("4 x") && passage!.heading!.length <= 300);
    const [other] = split(heading(1, "y".repeat(5_000)), paragraph(long));
    assertEquals(other!.heading!.length, 300);
  });
});

Deno.test("createPassageSplitter: tables", async (t) => {
  const header = "Month | Price | Remark";
  const rows = Array.from({ length: 200 }, (_, i) => `Month ${i} | ${i} euros | for the boat with the number ${i}`);
  const table = (rows: string[]): Block => ({ text: rows.join("\n"), page: null, level: null, header });

  await t.step("each part of a long table repeats the first row, and no row is cut", () => {
    const passages = split(paragraph("Before."), table([header, ...rows]), paragraph("After."));
    assert(passages.length > 3);
    const lines = passages.flatMap(({ content }) => content.split("\n").filter((line) => line.includes(" | ")));
    assertEquals(lines.filter((line) => line !== header), rows);
    assertEquals(lines.filter((line) => line === header).length, passages.length);
    assert(passages.slice(1).every(({ content }) => content.startsWith(`${header}\nMonth`)));
  });

  await t.step("a table that goes on in another block is one table", () => {
    const [passage] = split(table([header, ...rows.slice(0, 2)]), table(rows.slice(2, 4)));
    assertEquals(passage!.content, [header, ...rows.slice(0, 4)].join("\n"));
  });

  await t.step("a first row that is very long is not repeated, and cut as others", () => {
    const wide = Array.from({ length: 2_000 }, (_, i) => `column ${i}`).join(" | ");
    const passages = split({ ...table([wide, wide]), header: wide });
    assert(passages.every(({ content }) => content.length < 2_500), `${passages.map(({ content }) => content.length)}`);
    assertEquals(passages.map(({ content }) => content).join(" ").match(/column 7\b/g)?.length, 2);
  });

  await t.step("a row that is too long is cut between cells", () => {
    const cells = Array.from({ length: 9 }, (_, i) => `cell ${i} ${"word ".repeat(60)}end`);
    const text = split(table([header, cells.join(" | ")])).map(({ content }) => content).join("\n");
    for (const cell of cells) assert(text.includes(cell), cell);
  });
});

Deno.test("createPassageSplitter: pages and characters", async (t) => {
  await t.step("a passage ends with its page, and has nothing of another page", () => {
    const passages = split(...sentences(90).map((sentence, i) => paragraph(sentence, 1 + Math.floor(i / 15))));
    assertEquals(passages.map(({ page }) => page), [1, 2, 3, 4, 5, 6]);
    for (const [i, { content }] of passages.entries()) {
      const shown = Array.from(content.matchAll(/Sentence (\d+)/g), ([, number]) => Number(number));
      assertEquals(shown, Array.from({ length: 15 }, (_, place) => i * 15 + place));
    }
  });

  await t.step("a sentence that goes on behind the page is repeated, up to 50 words of it", () => {
    const pageOf = (page: number, end: string) => paragraph(`${sentences(15).join(" ")} ${end}`, page);
    for (
      const [end, repeated] of [
        ["The guarantee ends", "The guarantee ends"],
        [`It ends ${"much ".repeat(60)}later`, "much later"],
        ["It ends here.", ""],
        ["“It ends here!”", ""],
        ["结束了。", ""],
      ] as const
    ) {
      const [first, second] = split(pageOf(1, end), paragraph("in May, for all who have bought it.", 2));
      assert(first!.content.endsWith(end.trim()), end);
      assert(second!.content.split("\n\n")[0]!.endsWith(repeated || "bought it."), second!.content);
      assert(second!.content.length < 400 && second!.page === 2, second!.content);
    }
  });

  await t.step("short pages are joined, and the passage knows where it begins", () => {
    const passages = split(...sentences(30).map((sentence, i) => paragraph(sentence, i + 1)));
    assertEquals(passages.map(({ page }) => page), [1, 4, 7, 10, 12, 15, 18, 21, 24, 27, 30]);
  });

  await t.step("what Postgres cannot hold is left out or replaced", () => {
    const [passage] = split(heading(1, "He\0ad\ud83d"), paragraph("a\0b \ud83d c\u0007\r\nd \udc00"));
    assertEquals(passage, { content: "ab \ufffd c\nd \ufffd", page: null, heading: "Head\ufffd" });
  });

  await t.step("a heading is not cut inside a character", () => {
    const [passage] = split(heading(1, `${"a".repeat(299)}😀 tail`), paragraph("b"));
    assertEquals(passage?.heading, "a".repeat(299));
  });

  await t.step("gaps and trailing white space are closed, indents stay", () => {
    assertEquals(split(paragraph("a  \t b  \n    c\n\n\n\nd"))[0]!.content, "a b\n    c\n\nd");
  });

  await t.step("a splitter continued from a stored state gives the same passages", () => {
    // The last sentence of each page goes on behind it.
    const text = sentences(80).map((text, i) => paragraph(i % 10 === 9 ? text.slice(0, -1) : text, Math.floor(i / 10)));
    const blocks = [heading(1, "A"), heading(2, "B"), ...text, heading(1, "C")];
    const whole = split(...blocks);
    for (let stop = 0; stop <= blocks.length; stop++) {
      const one = createPassageSplitter();
      const before = blocks.slice(0, stop).flatMap((block) => one.push(block));
      const other = createPassageSplitter(JSON.parse(JSON.stringify(one.state())));
      const after = blocks.slice(stop).flatMap((block) => other.push(block));
      assertEquals([...before, ...after, ...other.end()], whole, `stopped at ${stop}`);
    }
  });
});
