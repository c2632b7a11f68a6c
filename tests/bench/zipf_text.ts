import { createRandom } from "./random.ts";

/** Text with word frequencies like those of a real language: Zipf's law with Mandelbrot's correction. */
export type ZipfText = {
  /** A passage of that many words, the same in every run. */
  passage(words: number): string;
  /** The word of a rank; 0 is the most frequent. */
  word(rank: number): string;
};

const vocabulary = 100_000;
const consonants = [..."bdfgklmnprtv"];
const vowels = [..."aou"];

/** The letters of a rank: no two ranks share a stem, and none is a stop word. */
function spell(rank: number): string {
  let letters = "";
  for (let rest = rank + 40_000; rest > 0; rest = Math.floor(rest / 36)) {
    letters += consonants[rest % 12]! + vowels[Math.floor(rest / 12) % 3]!;
  }
  return `${letters}k`;
}

/** Starts a text; the seed decides it. */
export function createZipfText(seed: number): ZipfText {
  const words = Array.from({ length: vocabulary }, (_, rank) => spell(rank));
  const upTo = new Float64Array(vocabulary);
  let sum = 0;
  for (let rank = 0; rank < vocabulary; rank++) upTo[rank] = sum += 1 / (rank + 2.7) ** 1.05;
  const random = createRandom(seed);

  function draw(): string {
    const wanted = random() * sum;
    let [low, high] = [0, vocabulary - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (upTo[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return words[low]!;
  }

  return {
    passage: (count) => Array.from({ length: count }, draw).join(" "),
    word: (rank) => words[rank]!,
  };
}
