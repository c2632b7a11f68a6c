import { fold, readValues, type Value } from "./read_values.ts";

/** A sentence, an item of a list or a row of a table, and what it says. */
export type Statement = {
  /** As it stands in its passage. */
  text: string;
  values: Value[];
  /** Its words, without values and negations. */
  words: string[];
  /** True if it denies something. */
  isNegated: boolean;
  /** The words of the heading above it. */
  context: string[];
};

const negations = new Set(
  ("not no never none cannot nor nicht noch kein keine keinen keinem keiner nie niemals pas jamais aucun aucune ni non " +
    "nunca ningun ninguna ninguno nao nem nenhum nenhuma لا ليس ليست غير لم لن").split(" ").map(fold),
);

/** Words that deny what another says: the first stands for both. */
const opposites = new Map(
  [
    ["allowed", "forbidden prohibited banned disallowed"],
    ["erlaubt", "verboten untersagt"],
    ["autorise", "interdit interdite interdits interdites"],
    ["permitido", "prohibido proibido prohibida proibida"],
    ["مسموح", "ممنوع"],
    ["included", "excluded"],
    ["inbegriffen", "ausgeschlossen"],
    ["inclus", "exclu exclus"],
    ["incluido", "excluido"],
    ["safe", "unsafe"],
    ["open", "closed"],
    ["geoffnet", "geschlossen"],
    ["ouvert", "ferme"],
    ["with", "without"],
    ["mit", "ohne"],
    ["avec", "sans"],
    ["possible", "impossible"],
    ["yes", "no"],
    ["ja", "nein"],
    ["oui", "non"],
  ].flatMap(([word, others]) => others!.split(" ").map((other) => [fold(other), fold(word!)] as const)),
);

/** Lines that say when a text was written, or belong to its frame. */
const frame =
  /(?:updated|revised|reviewed|modified|published|effective|version|copyright|©|printed|stand:|datetime|aktualisiert|gultig ab|in kraft|date d.effet|en vigueur|en vigor|vigencia|vigente|mise a jour|actualizad|atualizad|retrieved|accessed|showing|results|comments?\b|min read)/;

const item = /^\s*(?:[-*•▪–☐✓✔]\s+)?(?:\d{1,2}(?:\.\d{1,2})+\.?|\d{1,2}[.)]|[a-z][.)])?\s+/i;
const begins = /^\s*(?:[-*•▪–☐✓✔]|\d{1,2}[.)]|[a-z][.)])\s/i;
const markup = /[*_`#>]+|\[(?=[^\]]*\]\()|\]\([^)]*\)|\[\d{1,3}\]|\((?:https?:|mailto:|tel:)[^\s()]*\)|https?:\S+/g;

/** Reads the statements of a passage: those that have a value or may deny something, and enough words. */
export function readStatements({ content, heading }: { content: string; heading: string | null }): Statement[] {
  const ofPassage = wordsOf(fold(heading ?? "")).words;
  let context = ofPassage;
  const statements: Statement[] = [];
  for (const { text, isHeading } of splitLines(content)) {
    // What is too long says nothing here. Markup and values are looked for in time that grows with its square.
    if (text.length > 3_000) continue;
    const plain = ` ${text.replace(markup, " ").trim()}`.replace(item, " ");
    if (plain.length > 600) continue;
    const { values, rest } = readValues(plain);
    if (isHeading) {
      context = [...ofPassage, ...wordsOf(rest).words];
      continue;
    }
    if (/[?؟:]\s*$/.test(plain) || frame.test(fold(plain))) continue;
    const { words, isNegated } = wordsOf(rest);
    if (words.filter(isTelling).length === 0) continue;
    statements.push({ text, values, words, isNegated, context });
  }
  return statements;
}

function wordsOf(rest: string): { words: string[]; isNegated: boolean } {
  let isNegated = false;
  const words = new Set<string>();
  for (const [word] of rest.replace(/n't\b/g, " not").matchAll(/\p{L}{2,}/gu)) {
    const opposite = opposites.get(word);
    if (negations.has(word) || opposite !== undefined) isNegated = !isNegated;
    if (opposite !== undefined && !negations.has(word)) words.add(opposite);
    else if (!negations.has(word)) words.add(word);
  }
  return { words: [...words], isNegated };
}

/** Words of six languages that say nothing alone. */
const functionWords = new Set(
  ("the and for are was were you your our can has had have its his her this that these those with from will would " +
    "should must may might per all any each into than then they them their there when which who what more most also " +
    "der die das den dem des ein eine einen einem einer und oder ist sind war mit von vom zum zur fur auf aus bei " +
    "bis pro sie ihr wir ich nach uber unter wird werden kann konnen soll sollte sollten muss mussen auch als wie " +
    "les des une est sont avec pour par sur dans aux qui que vous nous votre vos ses leur peut doit ete cette ces " +
    "los las una unos del con por para que son sus esta este estos estas puede debe desde hasta como mas " +
    "uma dos das nos nas com sao seu sua pode deve pelo pela mais " +
    "من الى في على عن مع هذا هذه التي الذي كان كل او ان").split(" "),
);

/** Returns whether a word is likely to say what a statement is about. */
export function isTelling(word: string): boolean {
  return word.length > 2 && !functionWords.has(word);
}

/** Sentences, items and rows; a short line without an end is a heading. */
function splitLines(content: string): { text: string; isHeading: boolean }[] {
  const found: { text: string; isHeading: boolean }[] = [];
  const lines = [...content.matchAll(/[^\n]+/g)].map((match) => ({ line: match[0], at: match.index }));
  for (let index = 0; index < lines.length; index++) {
    const { line, at } = lines[index]!;
    let end = at + line.length;
    const isRow = line.includes(" | ") || /^\s*\|/.test(line);
    if (/^[\s|:-]+$/.test(line)) continue;
    // A long line without an end goes on in the next one.
    while (!isRow && index + 1 < lines.length) {
      const next = lines[index + 1]!;
      const last = content.slice(lines[index]!.at, end);
      const isJoined = next.at === end + 1 && last.length > 45 && !/[.!?:;|؟]\s*$/.test(last) &&
        !begins.test(next.line) &&
        !/^\s*[|#]/.test(next.line);
      if (!isJoined) break;
      end = next.at + next.line.length;
      index++;
    }
    const text = content.slice(at, end).trim();
    const isAlone = (index + 1 >= lines.length || lines[index + 1]!.at > end + 1) || /^\s*#/.test(line);
    if (
      !isRow && isAlone && !begins.test(text) && text.length < 120 && !/[.!?:;,]\s*$/.test(text) &&
      !/\p{Nd}/u.test(text.replace(/(?:19|20)\d\d/, ""))
    ) {
      found.push({ text, isHeading: true });
    } else if (isRow) found.push({ text, isHeading: false });
    else for (const sentence of splitSentences(text)) found.push({ text: sentence, isHeading: false });
  }
  return found;
}

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

function splitSentences(text: string): string[] {
  // A line break would end a sentence.
  const parts: string[] = [];
  let at = 0;
  for (const { segment } of segmenter.segment(text.replaceAll("\n", " "))) {
    parts.push(text.slice(at, at += segment.length));
  }
  // "3." and "z. B." end no sentence.
  const joined: string[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (
      before !== undefined && /(?:^|[\s(])(?:\p{L}|\d{1,2}|\p{L}{2,3})\.\s*$/u.test(before) &&
      !/^\p{Lu}\p{Ll}+\s\p{Ll}/u.test(part)
    ) {
      joined[joined.length - 1] = before + part;
    } else joined.push(part);
  }
  return joined.map((part) => part.trim()).filter((part) => part !== "");
}
