/** The words that two texts have in common, as shares from 0 to 1. */
export type WordComparison = {
  /** The number of words of the other text. */
  words: number;
  /** The share of the other's words that the text has, each as often as it is there. */
  kept: number;
  /** The share of the text's words that the other has. */
  shared: number;
  /** The share of the other's neighboring words that are neighbors in the text. */
  inOrder: number;
  /** The words of the other that the text does not have. */
  missing: string[];
};

/** Scripts that are written without spaces: each of their characters counts as a word. */
const word =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}])[\p{L}\p{M}\p{N}])+/gu;

/** Compares the words of a text with those of another reading of the same document. */
export function compareWords(text: string, other: string): WordComparison {
  const [words, others] = [text, other].map((text) => text.normalize("NFKC").toLowerCase().match(word) ?? []);
  const missing = leaveOut(others!, words!);
  return {
    words: others!.length,
    kept: shareOf(others!.length - missing.length, others!.length),
    shared: shareOf(others!.length - missing.length, words!.length),
    inOrder: shareOf(pairsOf(others!).length - leaveOut(pairsOf(others!), pairsOf(words!)).length, others!.length - 1),
    missing,
  };
}

function shareOf(part: number, whole: number): number {
  return whole > 0 ? part / whole : 1;
}

function pairsOf(words: string[]): string[] {
  return words.slice(1).map((word, i) => `${words[i]} ${word}`);
}

/** The items that a list has more often than another one. */
function leaveOut(list: string[], other: string[]): string[] {
  const counts = new Map<string, number>();
  for (const item of other) counts.set(item, (counts.get(item) ?? 0) + 1);
  return list.filter((item) => {
    const count = counts.get(item) ?? 0;
    counts.set(item, count - 1);
    return count <= 0;
  });
}
