import type { PinnedText } from "../../shared/features/pinned_answers/compare_rows.ts";
import { createRandom } from "../bench/random.ts";
import { stripInvisible } from "../../shared/libs/base/text.ts";

/** Pieces of texts that sheets and spreadsheets have a meaning for. */
const pieces = [
  ..."=+-@'\";,\t|\\[]{}% ＝＠",
  "\n",
  "\r\n",
  "\r",
  "\n- ",
  "\n=",
  ";=",
  "''",
  '""',
  "'=",
  "\u200f",
  "\ufeff",
  "\u2028",
  "\u00a0",
  "word",
  "sep=;",
  "question",
  "true",
  "😀",
  "{{x}}",
  "<b>",
  "=cmd|' /C calc'!A0",
  '["a"]',
  "é",
  "问题",
];

/** Pinned answers with texts that are hard to write as CSV, the same ones for the same seed; all questions differ. */
export function inventAnswers(count: number, seed: number): PinnedText[] {
  const next = createRandom(seed);
  const random = (below: number) => Math.floor(next() * below);
  const text = () => Array.from({ length: 1 + random(8) }, () => pieces[random(pieces.length)]).join("");
  const question = (name: string) => stripInvisible(random(2) === 0 ? `${text()} ${name}` : `${name} ${text()}`).trim();
  return Array.from({ length: count }, (_, index) => ({
    question: question(`q${index}`),
    variants: Array.from({ length: random(4) }, (_, place) => question(`v${index}x${place}`)),
    answer: `${text()}${random(2) === 0 ? "" : "x"}`.trim() || "-",
    is_active: random(2) === 0,
  }));
}
