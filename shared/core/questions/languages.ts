import data from "./languages.json" with { type: "json" };

/** The data of a language. Words are compared in lower case; all but `articles` without their accents. */
type LanguageData = {
  /** Its articles: "él" is none, and "één" is a number. */
  articles?: string;
  /** Its words of politeness, at most four each; not those that may be the subject of a question ("per dag"). */
  manners?: string;
  /**
   * The endings that a stem leaves out although they change the meaning: "hijo" and "hija" have the same stem, and so have
   * "organ" and "organic". In English and German the ending is all that makes one word of another, without what a plural
   * or a tense adds. Arabic stems leave out who does something and whose it is, so there the whole word counts, without
   * its article.
   */
  ending?: string;
  /**
   * The words that point back in it, although they mean something else in another language, or before other words: a
   * pattern for a word, a space, the next word and a space. In Spanish and Arabic they are also at the ends of words.
   */
  clitics?: string;
  stop_words?: string;
};

/** A language in which questions are compared. */
export type Language = {
  /** The text search configuration of the coach. */
  config: string;
  name: string;
  articles: Set<string>;
  /** Null: not known. */
  manners: Set<string> | null;
  stem(word: string): string;
  endingOf(word: string): string | null;
  /** True for a word that is no stop word, and no sign. */
  isContent(word: string): boolean;
  /** True for a word, spelled as `words` begins, that points back at what was said before. */
  pointsBack(word: string, words: string): boolean;
};

type Stem = (word: string) => string;

/** The stemmers, each loaded with the first question in its language; those that Postgres has, too. */
const stemmers: Record<string, () => Promise<Stem>> = {
  arabic: async () => (await import("@orama/stemmers/arabic")).stemmer,
  armenian: async () => (await import("@orama/stemmers/armenian")).stemmer,
  danish: async () => (await import("@orama/stemmers/danish")).stemmer,
  dutch: async () => (await import("@orama/stemmers/dutch")).stemmer,
  // That of the other package is of Porter's first algorithm.
  english: async () => (await import("./english_stemmer.ts")).stem,
  finnish: async () => (await import("@orama/stemmers/finnish")).stemmer,
  french: async () => (await import("@orama/stemmers/french")).stemmer,
  german: async () => (await import("@orama/stemmers/german")).stemmer,
  greek: async () => (await import("@orama/stemmers/greek")).stemmer,
  hungarian: async () => (await import("@orama/stemmers/hungarian")).stemmer,
  indonesian: async () => (await import("@orama/stemmers/indonesian")).stemmer,
  irish: async () => (await import("@orama/stemmers/irish")).stemmer,
  italian: async () => (await import("@orama/stemmers/italian")).stemmer,
  lithuanian: async () => (await import("@orama/stemmers/lithuanian")).stemmer,
  nepali: async () => (await import("@orama/stemmers/nepali")).stemmer,
  norwegian: async () => (await import("@orama/stemmers/norwegian")).stemmer,
  portuguese: async () => (await import("@orama/stemmers/portuguese")).stemmer,
  romanian: async () => (await import("@orama/stemmers/romanian")).stemmer,
  russian: async () => (await import("@orama/stemmers/russian")).stemmer,
  serbian: async () => (await import("@orama/stemmers/serbian")).stemmer,
  spanish: async () => (await import("@orama/stemmers/spanish")).stemmer,
  swedish: async () => (await import("@orama/stemmers/swedish")).stemmer,
  tamil: async () => (await import("@orama/stemmers/tamil")).stemmer,
  turkish: async () => (await import("@orama/stemmers/turkish")).stemmer,
};

/**
 * Words that point back at what was said before, in all languages with manners together: so without those that mean
 * something else in another of them, such as "on", "die", "la", "le", "lo", "en", "se", "il", "son", "das".
 */
const backPointers = new Set(data.back_pointers.split(" "));

const loaded = new Map<string, Promise<Language>>();

/** The language of a text search configuration; one that is not known has neither stems nor stop words. */
export function loadLanguage(config: string): Promise<Language> {
  let language = loaded.get(config);
  if (language === undefined) loaded.set(config, language = load(config));
  return language;
}

async function load(config: string): Promise<Language> {
  const name = config.replace(/^pg_catalog\./, "");
  const known: LanguageData = (data.languages as Record<string, LanguageData>)[name] ?? {};
  const stem = await stemmers[name]?.() ?? ((word) => word);
  const stopWords = new Set(known.stop_words?.split(" "));
  const [ending, clitics] = [known.ending, known.clitics].map((pattern) =>
    pattern === undefined ? null : new RegExp(pattern, "u")
  );
  return {
    config,
    name,
    articles: new Set(known.articles?.split(" ")),
    manners: known.manners === undefined ? null : new Set(known.manners.split(",")),
    stem,
    endingOf(word) {
      const found = ending?.exec(word);
      const part = found?.[1] ?? found?.[0] ?? null;
      return name === "italian" ? part && part.replace("e", "a").replace("i", "o") : part;
    },
    isContent(word) {
      const letters = word.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "");
      return letters !== "" && !stopWords.has(letters);
    },
    pointsBack: (word, words) => backPointers.has(word) || clitics?.test(words) === true,
  };
}
