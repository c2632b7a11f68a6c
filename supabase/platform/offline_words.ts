/** Common words, which do not tell what a question is about. */
const commonWords = new Set(
  `a about across actually after again all also am an and another any anybody anyone anything are as ask at back be because
  been before begin being best better but by can come could day did do does doing don done down each else ever every feel
  find first for from get give go going good had has have having he help her here him his how i if in into is it its itself
  just keep kind know let like ll long look lot made make many may maybe me mean might mine more most much must my need
  never new no not nothing now of off often on once one only or other others our out over own part people person please
  put question re really right said same saw say see seem she should since so some somebody someone something start
  still such take talk tell than that the their them then there these they thing think this those though thought
  through time to too two under until up us use used ve very want was way we well were what when where whether which
  while who whom whose why will with without word words work would year yes yet you your yours`.split(/\s+/).map(
    cutEnding,
  ),
);

/** Delegate, delegates and delegation are the same; works and workshop are not. */
function cutEnding(word: string): string {
  return word.replace(/(?<=\p{L}{3})(?:ions?|ings?|ers?|ed|ly|es|e|s)$/u, "");
}

/** All words of a text without endings; single characters in scripts without spaces. A hyphenated word is one word. */
function stemsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\u2E80-\uD7FF]|[^\P{L}\u2E80-\uD7FF]+(?:-\p{L}+)*|\p{N}+/gu) ?? [];
  return new Set(words.map(cutEnding));
}

/** The words of a text that carry its meaning, without endings. */
export function wordsOf(text: string): Set<string> {
  return stemsOf(text).difference(commonWords);
}

/** Returns true if a text contains more than half of the words of a question. */
export function isAbout(question: string, text: string): boolean {
  const asked = wordsOf(question);
  return 2 * asked.intersection(wordsOf(text)).size > asked.size;
}

/** Scores how many words of a question a text contains: one point each, and less for common words. */
export function countShared(question: string, text: string): number {
  const shared = stemsOf(question).intersection(stemsOf(text));
  return shared.size - 0.9 * shared.intersection(commonWords).size;
}
