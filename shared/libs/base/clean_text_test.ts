import { createTextCleaner } from "./text.ts";
import { assertEquals } from "../../../tests/support/assert.ts";

const high = "\ud83d";
const low = "\ude00";
const replacement = "\ufffd";

/** The pieces that go in, and the text that must come out after each; the last entry comes out at the end. */
const cases: Record<string, { pieces: string[]; cleaned: string[] }> = {
  "plain text passes untouched": { pieces: ["Hello", " world\t", ""], cleaned: ["Hello", " world\t", "", ""] },
  "a whole pair is passed on at once": { pieces: [`a${high}${low}`], cleaned: ["a😀", ""] },
  "a pair split across pieces is joined": { pieces: [`a${high}`, `${low}b`], cleaned: ["a", "😀b", ""] },
  "an empty piece does not part a pair": { pieces: [high, "", low], cleaned: ["", "", "😀", ""] },
  "two pairs in a row are both kept": { pieces: [high, low + high, low], cleaned: ["", "😀", "😀", ""] },
  "the first half alone is replaced": { pieces: [high, "b"], cleaned: ["", `${replacement}b`, ""] },
  "the first half at the end is replaced": { pieces: [`a${high}`], cleaned: ["a", replacement] },
  "two first halves are two replacements": { pieces: [high, high], cleaned: ["", replacement, replacement] },
  "the second half alone is replaced": { pieces: ["a", `${low}b`], cleaned: ["a", `${replacement}b`, ""] },
  "CRLF is one line break": { pieces: ["a\r\nb"], cleaned: ["a\nb", ""] },
  "CRLF split across pieces is one line break": { pieces: ["a\r", "\nb"], cleaned: ["a", "\nb", ""] },
  "CR alone is a line break": { pieces: ["a\rb"], cleaned: ["a\nb", ""] },
  "CR at the end of a piece is a line break": { pieces: ["a\r", "b"], cleaned: ["a", "\nb", ""] },
  "CR at the very end is a line break": { pieces: ["a\r"], cleaned: ["a", "\n"] },
  "CR CR LF is two line breaks": { pieces: ["\r", "\r", "\n"], cleaned: ["", "\n", "\n", ""] },
  "LF CR is two line breaks": { pieces: ["\n\r", "a"], cleaned: ["\n", "\na", ""] },
  "NUL is left out": { pieces: ["a\0b", "\0", "\0c\0"], cleaned: ["ab", "", "c", ""] },
  "NUL does not part CR and LF": { pieces: ["\r\0\n", "\r", "\0", "\n"], cleaned: ["\n", "", "", "\n", ""] },
  "NUL does not part a pair": { pieces: [`${high}\0${low}`, `${high}\0`, low], cleaned: ["😀", "", "😀", ""] },
};

Deno.test("createTextCleaner", async (t) => {
  for (const [promise, { pieces, cleaned }] of Object.entries(cases)) {
    await t.step(promise, () => {
      const clean = createTextCleaner();
      assertEquals([...pieces.map((piece) => clean(piece)), clean()], cleaned);
    });
  }

  await t.step("the result is the same wherever a text is split", () => {
    const text = `a\r\n😀\r\r\n${high}b${low}c\0d\n\r${high}${high}${low}\0\r${low}\r\0\n${high}\0\0${low}`;
    const whole = `a\n😀\n\n${replacement}b${replacement}cd\n\n${replacement}😀\n${replacement}\n😀`;
    for (let first = 0; first <= text.length; first++) {
      for (let second = first; second <= text.length; second++) {
        const clean = createTextCleaner();
        const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second), undefined];
        assertEquals(pieces.map((piece) => clean(piece)).join(""), whole, `split at ${first} and ${second}`);
      }
    }
  });

  await t.step("cleaners do not share the text that they hold back", () => {
    const [one, other] = [createTextCleaner(), createTextCleaner()];
    one(high);
    assertEquals(other(low), replacement);
  });
});
