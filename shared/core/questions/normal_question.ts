import { createHash } from "node:crypto";
import type { Language } from "./languages.ts";

/** A question as questions are compared. */
export type NormalQuestion = {
  content: string;
  language: string;
  /**
   * Of all its words but articles, in their order: two questions with the same key are the same. Null if nothing is left
   * of it, or if it is longer than any that could be pinned.
   */
  key: string | null;
  /** The same without words of politeness at its beginning and its end. */
  plain_key: string | null;
  /** The words of `plain_key`, as stems without accents. */
  words: string[];
  /** Those that are no stop words, each once. */
  content_words: string[];
  /** True if it can only be understood from what was said before; null: that cannot be told in this language. */
  points_back: boolean | null;
};

const longest = 2_000;
const mostContentWords = 200;

/** "A" is no article in "vitamin A", nor in "vitamin a". */
const labeled =
  /^(pro)?vitamin[as]?$|^hepatit[ie]s?$|^(influenza|gripe|type|tipo|plano?|option|opcao|group|grupo|grade|class|classe|part|parte|step|team|level|stage|phase|fase)$/;

/** A question as questions are compared, in a language. */
export function normalizeQuestion(content: string, language: Language): NormalQuestion {
  const cleaned = cleanQuestion(cut(content));
  const tokens = tokenizeQuestion(cut(cleaned)).split(" ");
  const text = tokens.join(" ");
  const lowered = text.replaceAll(" .", " ").toLowerCase().replaceAll("ς", "σ").split(" ");
  const bare = stripAccents(lowered.join(" ")).split(" ");
  const shortened = language.name === "english" ? dropInflections(bare) : bare;
  const first = countManners(language, bare);
  const last = bare.length - 1 - countManners(language, bare, { atEnd: true });
  // Of a text all in capitals, none can be told.
  const hasNames = text !== text.toUpperCase();

  const [keys, plainKeys, words]: [string[], string[], string[]] = [[], [], []];
  const contentWords = new Set<string>();
  let pointsBack = false;
  for (const [place, word] of text === "" ? [] : lowered.entries()) {
    const [token, spelled] = [tokens[place]!, bare[place]!];
    // Its capital letter makes a word a name, unless it begins a sentence.
    const isName = hasNames && place > 0 && token !== word && !token.startsWith(".");
    const isArticle = language.articles.has(word) &&
      ([...word].length > 1 || !isName && (place === 0 || !labeled.test(bare[place - 1]!)));
    const isPlain = place >= first && place <= last && (place === last || !isArticle);
    const hasDigits = /[0-9]/.test(spelled);
    // A number stays as it is. A unit may stand apart from it or not.
    const stem = hasDigits ? spelled.replace(/^([^\p{L}]*[0-9])(\p{L}+)$/u, "$1 $2") : language.stem(spelled);
    const ending = language.endingOf(shortened[place]!);
    const key = ending === null ? stem : `${stem}|${ending}`;
    if (place === lowered.length - 1 || !isArticle) keys.push(key);
    if (isPlain) {
      plainKeys.push(key);
      words.push(...stem.split(" "));
      const isContent = !isArticle && place < first + mostContentWords && (hasDigits || language.isContent(word));
      if (isContent) { for (const part of stem.split(" ")) contentWords.add(part); }
    }
    pointsBack ||= !isName && language.pointsBack(word, `${spelled} ${bare[place + 1] ?? ""} `);
  }
  const isLong = lengthOf(content) > longest || lengthOf(cleaned) > longest;
  return {
    content,
    language: language.config,
    key: isLong ? null : hash(keys),
    plain_key: hash(plainKeys),
    words,
    content_words: [...contentWords],
    points_back: language.manners === null || text === "" ? null : pointsBack,
  };
}

const lengthOf = (text: string) => text.length > longest ? [...text].length : 0;
const cut = (text: string) => text.length > longest ? [...text].slice(0, longest).join("") : text;

/** 128 bits of a hash of the words; null for none. */
function hash(words: string[]): string | null {
  return words.length === 0 ? null : createHash("sha256").update(words.join(" ")).digest("hex").slice(0, 32);
}

const ascii = /^\p{ASCII}*$/u;
/** A minus that belongs to the number after it, or to the letter before it. */
const minus = "\u207b";
/** Invisible characters: soft hyphens, marks of direction, variation selectors. And the short vowels of Arabic. */
const invisible = /[\u0640\u064b-\u0652\u0670\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]/g;

/** A question with one spelling for characters that look alike, and for numbers with their signs. */
function cleanQuestion(question: string): string {
  let content = question;
  if (!ascii.test(content)) {
    content = content
      // 5² is not 52, and 1½ is not 11/2.
      .replace(/([0-9])(?=[¹²³¼-¾⁰-⁹⅐-⅞])/g, "$1 ")
      .replaceAll("´", "'").replaceAll("˗", "-").normalize("NFKC").replace(invisible, "").replaceAll("—", " - ")
      .replace(/[\u2010-\u2013\u2212\u207b]/g, "-").replace(/[\u2018\u2019\u02bc]/g, "'").replaceAll("\u2044", "/")
      .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
      .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0));
  }
  if (/[0-9]/.test(content)) {
    content = content
      .replace(/(^|[\s(<>=$€£-])\.(?=[0-9])/g, (_, before) => `${before}0.`)
      .replace(/([0-9]) +([-/]) +(?=[0-9])/g, "$1$2")
      .replace(/(^|[\s(<>=:;,"$€£])- *(?=[$€£]?[0-9])/g, `$1${minus}`);
  }
  // "A-" is another blood group than "A".
  return content.includes("-") ? content.replace(/(?<=[\p{L}\p{N}])-(?![\p{L}\p{N}-])/gu, minus) : content;
}

/** Each of these signs is a word. */
const signs =
  /[%+<>=#&@^|~$\u00a2-\u00a5\u00b0\u00b1\u00d7\u00f7\u20a0-\u20cf\u2190-\u2bff\u{1f000}-\u{1f3fa}\u{1f400}-\u{1f440}\u{1f451}-\u{1f5ff}\u{1f680}-\u{1f90b}\u{1f940}-\u{1f970}\u{1f980}-\u{1f9cf}\u{1f9e0}-\u{1faff}]/gu;
const punctuation =
  /(?:[\s\p{Cc}"()*;\u005b-\u005d_`{}\u007f-\u00a1\u00a6-\u00a9\u00ab-\u00af\u00b2-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u02b0-\u02ff\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u206f\u3000-\u3003\u3008-\u3020\u30fb\uff00-\uff0f\u{1f3fb}-\u{1f3ff}\u{1f441}-\u{1f450}\u{1f600}-\u{1f67f}\u{1f90c}-\u{1f93f}\u{1f971}-\u{1f97f}\u{1f9d0}-\u{1f9df}]|(?<![0-9])[,/'-]|[,/'-](?![0-9]))+/gu;

/**
 * The words and signs of a cleaned question, with a space between them, and a point before each that begins a further
 * sentence; empty for none. A wrong match is the worst that can happen here. So whatever might mean something is a word:
 * numbers with all that is within them ("1.5" is neither "15" nor "1 5"), signs such as % and <, pictures. Everything that
 * is neither white space nor known punctuation counts as a letter, in any script. Faces and hands are no more than
 * punctuation.
 */
function tokenizeQuestion(question: string): string {
  return question.replace(signs, " $& ").replace(punctuation, " ")
    .replace(/ *(?:[!?]|(?<![0-9])[.:]|[.:](?![0-9]))[ .!?:]*/g, " .")
    .replace(/^[ .]+|[ .]+$/g, "");
}

/**
 * Words in lower case without the accents of Latin and Greek letters, and the hamza of an Arabic alif. Accents of other
 * letters may make them another letter, such as й.
 */
function stripAccents(words: string): string {
  if (ascii.test(words)) return words;
  return words.normalize("NFD").replace(/([a-zα-ωе])[\u0300-\u036f]+|(ا)[\u0653-\u0655]/g, "$1$2").normalize("NFC")
    .replaceAll("ø", "o").replaceAll("ł", "l").replaceAll("ß", "ss").replaceAll("œ", "oe").replaceAll("æ", "ae");
}

/** The number of words of politeness that a question begins or ends with. */
function countManners({ manners }: Language, words: string[], { atEnd = false } = {}): number {
  const most = 4;
  let counted = 0;
  for (let length = Math.min(most, words.length); manners !== null && length > 0; length--) {
    const start = atEnd ? words.length - counted - length : counted;
    if (!manners.has(words.slice(start, start + length).join(" "))) continue;
    counted += length;
    length = Math.min(most, words.length - counted) + 1;
  }
  return counted;
}

/** English words without what a plural or a tense adds, and without the letter that a tense doubles: "controlled". */
function dropInflections(words: string[]): string[] {
  return words.map((word) =>
    word.replace(/(?:e|es|s|ed|ings?|y|ies|ied)$/, "").replace(/([b-df-hj-np-tv-z])\1$/, "$1")
  );
}
