/** The parts of a conversation that are compared. */
export type Said = {
  /** Lexemes, without stop words. */
  words: string[];
  /** The meaning as {@link shortenEmbedding} writes it; null: none is known. */
  meaning: string | null;
};

/** A conversation, or the mean of several, among those that it is compared with. */
export type Place = { words: Map<string, number>; meaning: Float32Array | null };

/** The least likeness of what is about the same. Chosen on Banking77, where intents differ by little. */
export const leastLikeness = 0.1;

/** The dimensions of a shortened embedding. */
const dimensions = 128;

/**
 * Places conversations. The fewer conversations have a word, the more it says. Meanings are taken from their middle: those
 * of unlike conversations with one coach then have nothing in common. Only those of the newest embedding model are used.
 *
 * @param said the newest last
 */
export function placeConversations(said: Said[]): Place[] {
  const rarity = measureRarity(said);
  const model = said.findLast(({ meaning }) => meaning !== null)?.meaning?.split(" ")[0];
  const meanings = said.map(({ meaning }) =>
    model !== undefined && meaning?.startsWith(`${model} `) ? scale(readMeaning(meaning.slice(model.length + 1))) : null
  );
  const middle = meanOf(meanings);
  return said.map(({ words }, index) => {
    const weights = words.map((word) => [word, rarity(word)] as const);
    const length = Math.hypot(...weights.map(([, weight]) => weight)) || 1;
    const meaning = meanings[index] ?? null;
    return {
      words: new Map(weights.map(([word, weight]) => [word, weight / length])),
      meaning: meaning && middle && scale(meaning.map((value, place) => value - middle[place]!)),
    };
  });
}

/** Returns how much a word says: the logarithm of the share of conversations that lack it. */
export function measureRarity(said: Pick<Said, "words">[]): (word: string) => number {
  const counts = new Map<string, number>();
  for (const { words } of said) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => Math.log(1 + said.length / (counts.get(word) ?? 1));
}

/** The mean of conversations: it is as like another one as they are on average. */
export function averagePlaces(places: Place[]): Place {
  const words = new Map<string, number>();
  for (const place of places) {
    for (const [word, weight] of place.words) words.set(word, (words.get(word) ?? 0) + weight / places.length);
  }
  return { words, meaning: meanOf(places.map(({ meaning }) => meaning)) };
}

/** Returns how like two conversations are, by their words and, where both have one, by their meaning. */
export function compare(one: Place, other: Place): number {
  let byWords = 0;
  for (const [word, weight] of one.words) byWords += weight * (other.words.get(word) ?? 0);
  return one.meaning === null || other.meaning === null
    ? byWords
    : combine(byWords, multiply(one.meaning, other.meaning));
}

/** Meanings of like conversations have about twice as much in common as their words. */
function combine(byWords: number, byMeaning: number): number {
  return byWords / 2 + Math.max(byMeaning, 0) / 4;
}

/**
 * Groups conversations: the two groups that are most alike become one, until none are alike enough. (Average linkage:
 * groups are as like as their members are on average.)
 *
 * @returns the members of each group, as places in the list
 */
export function groupConversations(places: Place[]): number[][] {
  const count = places.length;
  const likeness = compareAll(places);
  const groups: (number[] | null)[] = places.map((_, index) => [index]);
  const nearest = new Int32Array(count);
  const findNearest = (one: number) => {
    nearest[one] = -1;
    for (let other = 0; other < count; other++) {
      if (other === one || groups[other] === null) continue;
      if (nearest[one]! < 0 || likeness[one * count + other]! > likeness[one * count + nearest[one]!]!) {
        nearest[one] = other;
      }
    }
  };
  for (let one = 0; one < count; one++) findNearest(one);
  while (true) {
    let kept = -1;
    let most = leastLikeness;
    for (let one = 0; one < count; one++) {
      if (groups[one] === null || nearest[one]! < 0) continue;
      const found = likeness[one * count + nearest[one]!]!;
      if (found >= most) [kept, most] = [one, found];
    }
    if (kept < 0) return groups.filter((group) => group !== null);
    const gone = nearest[kept]!;
    const [size, added] = [groups[kept]!.length, groups[gone]!.length];
    groups[kept]!.push(...groups[gone]!);
    groups[gone] = null;
    for (let other = 0; other < count; other++) {
      if (groups[other] === null || other === kept) continue;
      const mean = (likeness[kept * count + other]! * size + likeness[gone * count + other]! * added) / (size + added);
      likeness[kept * count + other] = likeness[other * count + kept] = mean;
    }
    for (let other = 0; other < count; other++) {
      if (groups[other] === null) continue;
      if (other === kept || nearest[other] === kept || nearest[other] === gone) findNearest(other);
      else if (likeness[other * count + kept]! > likeness[other * count + nearest[other]!]!) nearest[other] = kept;
    }
  }
}

/** The likeness of each two conversations. Words are compared by lists of those who said them. */
function compareAll(places: Place[]): Float32Array {
  const count = places.length;
  const likeness = new Float32Array(count * count);
  const sayers = new Map<string, [place: number, weight: number][]>();
  places.forEach(({ words }, one) => {
    for (const [word, weight] of words) {
      const earlier = sayers.get(word);
      for (const [other, its] of earlier ?? []) likeness[one * count + other]! += weight * its;
      if (earlier === undefined) sayers.set(word, [[one, weight]]);
      else earlier.push([one, weight]);
    }
  });
  for (let one = 0; one < count; one++) {
    const { meaning } = places[one]!;
    for (let other = 0; other < one; other++) {
      const its = places[other]!.meaning;
      const byWords = likeness[one * count + other]!;
      const both = meaning !== null && its !== null ? combine(byWords, multiply(meaning, its)) : byWords;
      likeness[one * count + other] = likeness[other * count + one] = both;
    }
  }
  return likeness;
}

function multiply(one: Float32Array, other: Float32Array): number {
  let product = 0;
  for (let place = 0; place < one.length; place++) product += one[place]! * other[place]!;
  return product;
}

function scale(vector: Float32Array): Float32Array {
  const length = Math.sqrt(multiply(vector, vector)) || 1;
  return vector.map((value) => value / length);
}

/** Null if there are none. */
function meanOf(vectors: (Float32Array | null)[]): Float32Array | null {
  const known = vectors.filter((vector) => vector !== null);
  if (known.length === 0) return null;
  const mean = new Float32Array(dimensions);
  for (const vector of known) vector.forEach((value, place) => mean[place]! += value / known.length);
  return mean;
}

/**
 * Shortens a vector to 128 bytes, in base64. Values that fall together have random signs, so that what two vectors have in
 * common stays about the same.
 */
export function shortenEmbedding(vector: number[]): string {
  const short = new Float32Array(dimensions);
  vector.forEach((value, place) => {
    // The signs are always the same. (Multiplication by a large odd number scatters the bits.)
    const sign = (Math.imul(place + 1, 0x9E3779B1) >>> 13) & 1;
    short[place % dimensions]! += sign === 1 ? value : -value;
  });
  const most = Math.max(...short.map(Math.abs)) || 1;
  return btoa(String.fromCharCode(...short.map((value) => Math.round(value / most * 127) + 128)));
}

function readMeaning(text: string): Float32Array {
  return Float32Array.from(atob(text), (character) => character.charCodeAt(0) - 128);
}
