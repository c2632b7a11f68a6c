import { findDifferences } from "../../shared/features/contradictions/find_differences.ts";
import { readComparison } from "../../shared/features/contradictions/prompts.ts";
import { readStatements } from "../../shared/features/contradictions/read_statements.ts";
import { assert, assertEquals } from "../support/assert.ts";

/** The kinds of what differs; a question mark after what is not clear without a model. */
function differences(one: string, other: string, headings: [string | null, string | null] = [null, null]): string[] {
  const [statements, others] = [one, other].map((content, index) =>
    readStatements({ content, heading: headings[index]! })
  );
  return findDifferences(statements!, others!).map(({ kind, isClear }) => isClear ? kind : `${kind}?`);
}

const cases: Record<string, [one: string, other: string, ...found: string[]]> = {
  "a range": ["Eat 25–30 g of fibre a day.", "Eat 30–35 g of fibre a day.", "number"],
  "a number within a range agrees": ["Eat 25–30 g of fibre a day.", "Eat 30 g of fibre a day."],
  "grams and kilograms": ["Use 1,000 g of flour.", "Use 1 kg of flour."],
  "a comma and a point": ["Das Erstgespräch kostet 1.200,00 €.", "Das Erstgespräch kostet 1200 Euro."],
  "a price": ["Das Erstgespräch kostet 120 €.", "Das Erstgespräch kostet 140 Euro.", "price"],
  "digits of Arabic": ["تبلغ تكلفة الجلسة ١٢٠ درهم", "تبلغ تكلفة الجلسة 150 درهم", "price"],
  "one row of a table": [
    "| Visit | 30 min | €70 |\n| Visit | 60 min | €120 |",
    "| Visit | 30 min | €75 |\n| Visit | 60 min | €120 |",
    "price",
  ],
  "rows of other lengths are other services": ["| Visit | 30 min | €70 |", "| Visit | 60 min | €120 |"],
  "a date": ["The course starts on 3 May 2025.", "The course starts on 10 May 2025.", "date"],
  "a date in other words": ["The course starts on 3 May 2025.", "The course starts on 03.05.2025."],
  "hours of opening": [
    "Die Praxis ist am Montag von 9 bis 17 Uhr geöffnet.",
    "Die Praxis ist am Montag von 9 bis 18 Uhr geöffnet.",
    "time",
  ],
  "am and pm": ["Call us between 9 am and 5 pm.", "Call us between 9:00 and 17:00."],
  "numbers as words": ["You can cancel within two weeks.", "You can cancel within 30 days.", "number"],
  "two weeks are 14 days": ["You can cancel within two weeks.", "You can cancel within 14 days."],
  "yes and no": ["Nuts are allowed during the fast.", "Nuts are not allowed during the fast.", "negation"],
  "a word that denies": ["Nüsse sind beim Fasten erlaubt.", "Nüsse sind beim Fasten verboten.", "negation"],
  "both deny": ["Nuts are not allowed during the fast.", "Nuts are forbidden during the fast."],
  "another subject is not clear": [
    "Adults should drink 2 l of water.",
    "Children should drink 1 l of water.",
    "number?",
  ],
  "a number that may be a name is not clear": [
    "Basecamp 4 accounts have owners.",
    "Basecamp 3 accounts have owners.",
    "number?",
  ],
  "numbers of sections and pages": ["2.1 Ownership of data", "9.1 Ownership of data"],
  "beginnings of lists": ["Developers must not:", "Developers must:"],
  "the same elsewhere in the other passage": [
    "The visit lasts 30 minutes.",
    "The visit lasts 45 minutes.\n\nThe visit lasts 30 minutes.",
  ],
  "lines that are wrapped": [
    "All of the prices below include tax and they are valid\nfor the next 12 months.",
    "All of the prices below include tax and they are\nvalid for the next 24 months.",
    "number",
  ],
};

Deno.test("findDifferences", async (t) => {
  for (const [promise, [one, other, ...found]] of Object.entries(cases)) {
    await t.step(promise, () => {
      assertEquals(differences(one, other), found);
      assertEquals(differences(other, one), found, "in the other order");
      assertEquals(differences(one, one), []);
    });
  }

  await t.step("few words need headings that agree", () => {
    const rows = ["| Price | €70 |", "| Price | €90 |"] as const;
    assertEquals(differences(...rows, ["Breakfast", "Breakfast"]), ["price"]);
    assertEquals(differences(...rows, ["Breakfast", "Lunch"]), ["price?"]);
  });

  await t.step("statements stand in their passage as they are", () => {
    const content = "## Fees\n\n- A visit costs **€70**,\n  and 10 % less for members.\n\nWe open at 9:00. It rains!";
    for (const { text } of readStatements({ content, heading: null })) assertEquals(content.includes(text), true, text);
  });

  await t.step("hostile texts end soon", () => {
    for (const unit of ["1 ", "€", "a-1.", "no ", "1,1.1:1/", "【1†", "111 ", "Ab 1 ", "](", "[a"]) {
      const timed = (length: number) => {
        const text = unit.repeat(length / unit.length);
        const begun = performance.now();
        assertEquals(differences(text, text), []);
        return performance.now() - begun;
      };
      // Ten times the text takes less than forty times as long; with the square of its length, it would be a hundred.
      const small = Math.max(timed(2_000), timed(2_000));
      assert(timed(20_000) < 40 * small + 30, unit);
    }
  });
});

Deno.test("readComparison: the numbers of pairs, none, or nothing that counts", () => {
  assertEquals(readComparison("1, 3.", 3), [0, 2]);
  assertEquals(readComparison("NONE", 3), []);
  assertEquals(readComparison("unsure", 3), null);
  for (const reply of ["4", "0", "yes", "1 and 2", "", "Pair 1 contradicts"]) {
    assertEquals(readComparison(reply, 3), undefined, reply);
  }
});
