import { splitSentences, stripInvisible } from "../../libs/base/text.ts";

/** A conversation of a topic. */
export type TopicConversation = { id: string; person: string; questions: string[] };

/** A name of a topic, questions of it as examples, and the conversations that both are made of. */
export type TopicName = { name: string; examples: string[]; witnesses: string[] };

/** A person could be known by what fewer people said. */
export const leastPeople = 3;
export const mostExamples = 3;
const longestExample = 140;

/** Matches numbers of accounts, addresses and days. */
const telling = /\d{4}|@|:\/\//;

/** Returns whether a text may tell who somebody is, by its form. */
export function isTelling(text: string): boolean {
  return telling.test(text);
}

/** The words of a text as people see them, in lower case. */
export function splitWords(text: string): string[] {
  return stripInvisible(text).toLowerCase().match(/[\p{L}\p{M}\p{N}]+(?:['’.:@/-][\p{L}\p{M}\p{N}]+)*/gu) ?? [];
}

/** The words that at least three people said, each with the conversations of three of them. */
export function findSharedWords(conversations: TopicConversation[]): Map<string, string[]> {
  const sayers = new Map<string, Map<string, string>>();
  for (const { id, person, questions } of conversations) {
    for (const word of new Set(questions.flatMap(splitWords))) {
      const people = sayers.get(word) ?? new Map<string, string>();
      if (people.size < leastPeople && !people.has(person)) sayers.set(word, people.set(person, id));
    }
  }
  return new Map(
    [...sayers].filter(([word, people]) => people.size === leastPeople && !isTelling(word))
      .map(([word, people]) => [word, [...people.values()]]),
  );
}

/** The words by which a topic is named. */
type Words = {
  shared: Map<string, string[]>;
  /** The lexemes of words that are no stop words. */
  lexemes: Record<string, string[]>;
  /** The weight of a lexeme. */
  rarity: (lexeme: string) => number;
};

/**
 * Names a topic by words that at least three people said, and gives questions that consist of such words. A name that the
 * topic had stays if its words still are. Null if there are none.
 */
export function nameByWords(
  conversations: TopicConversation[],
  former: string | null,
  { shared, lexemes, rarity }: Words,
): TopicName | null {
  const weigh = (words: string[]) =>
    [...new Set(words.flatMap((word) => lexemes[word] ?? []))].reduce((sum, lexeme) => sum + rarity(lexeme), 0);
  const isTopical = (word: string) => word in lexemes && /\p{L}/u.test(word);
  const isShared = (words: string[]) => words.length > 0 && words.every((word) => shared.has(word));
  const name = former !== null && isShared(splitWords(former)) ? former : joinPhrases(findPhrases());
  if (name === null) return null;
  const examples = findExamples();
  const witnesses = new Set([name, ...examples].flatMap(splitWords).flatMap((word) => shared.get(word)!));
  return { name, examples, witnesses: [...witnesses] };

  /** Up to three words that follow each other in the questions of three people, those that say most first. */
  function findPhrases(): { words: string[]; score: number }[] {
    const people = new Map<string, Set<string>>();
    for (const { person, questions } of conversations) {
      for (const words of questions.map(splitWords)) {
        words.forEach((first, place) => {
          for (let length = 1; length <= 3 && place + length <= words.length; length++) {
            const phrase = words.slice(place, place + length);
            if (!isShared(phrase) || !isTopical(first) || !isTopical(phrase.at(-1)!)) continue;
            const key = phrase.join(" ");
            people.set(key, (people.get(key) ?? new Set()).add(person));
          }
        });
      }
    }
    return [...people].filter(([, { size }]) => size >= leastPeople)
      .map(([key, { size }]) => ({ words: key.split(" "), score: size * weigh(key.split(" ")) }))
      .sort((one, other) => other.score - one.score || (one.words.join() < other.words.join() ? -1 : 1));
  }

  /** The best phrase, and the next one that says something else. */
  function joinPhrases([best, ...others]: { words: string[]; score: number }[]): string | null {
    if (best === undefined) return null;
    const said = new Set(best.words.flatMap((word) => lexemes[word] ?? []));
    const second = others.find(({ words, score }) =>
      score >= best.score / 2 && !words.some((word) => lexemes[word]?.some((lexeme) => said.has(lexeme)))
    );
    return [best, second].flatMap((phrase) => phrase === undefined ? [] : phrase.words.join(" ")).join(", ");
  }

  function findExamples(): string[] {
    const found = new Map<string, { text: string; weight: number }>();
    for (const sentence of conversations.flatMap(({ questions }) => questions.flatMap(splitSentences))) {
      const text = stripInvisible(sentence).replace(/\s+/g, " ").trim();
      const words = splitWords(text);
      if (words.length < 3 || text.length > longestExample || !isShared(words)) continue;
      const key = [...new Set(words.flatMap((word) => lexemes[word] ?? []))].sort().join(" ");
      if (key !== "" && !found.has(key)) found.set(key, { text, weight: weigh(words) });
    }
    return [...found.values()].sort((one, other) => other.weight - one.weight).slice(0, mostExamples)
      .map(({ text }) => text);
  }
}
