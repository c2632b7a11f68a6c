import { isTelling, type Statement } from "./read_statements.ts";
import { mayAgree, type Value, type ValueKind } from "./read_values.ts";

/** Two statements of two passages that say something else about the same thing. */
export type Difference = {
  kind: ValueKind | "negation";
  one: string;
  other: string;
  /** True if the words are so alike that it is worth a note without a model's consent. */
  isClear: boolean;
};

/** Finds statements of a passage and of another that differ in a number, a date, a price, or a yes and no. */
export function findDifferences(statements: Statement[], others: Statement[]): Difference[] {
  const pairs: (Difference & { from: Statement; to: Statement; likeness: number })[] = [];
  for (const from of statements) {
    const found = [];
    let isRepeated = false;
    for (const to of others) {
      const compared = compare(from, to);
      if (compared === null) continue;
      if (compared.difference === null) {
        isRepeated = true;
        break;
      }
      found.push({ ...compared.difference, one: from.text, other: to.text, from, to, likeness: compared.likeness });
    }
    if (isRepeated) continue;
    const best = Math.max(...found.map(({ likeness }) => likeness));
    const closest = found.filter(({ likeness }) => likeness > best - 0.05);
    // Where a statement differs from several that are equally close, it belongs to none of them.
    const isSingle = new Set(closest.map(({ other }) => other)).size === 1;
    if (closest.length > 0) pairs.push({ ...closest[0]!, isClear: closest[0]!.isClear && isSingle });
  }
  return pairs.filter((pair) => {
    // The other passage says it in the same words elsewhere, or two statements would have one counterpart.
    const rivals = pairs.filter(({ to }) => to === pair.to);
    const isBest = rivals.every(({ likeness }) => likeness <= pair.likeness);
    if (!isBest || statements.some((from) => compare(pair.to, from)?.difference === null)) return false;
    pair.isClear &&= rivals.length === 1;
    // Of rows with the same words, such as 30 and 60 minutes of the same, one value has to tell which is meant.
    const isOneOfMany = (statement: Statement, among: Statement[]) =>
      among.some((each) =>
        each !== statement && each.text !== statement.text && likenessOf(statement, each).share > 0.95
      );
    if (isOneOfMany(pair.from, statements) || isOneOfMany(pair.to, others)) {
      pair.isClear &&= pair.from.values.some((value) =>
        pair.to.values.some((each) => each.label === value.label && mayAgree(value, each))
      );
    }
    return true;
  }).map(({ kind, one, other, isClear }) => ({ kind, one, other, isClear }));
}

/** Null: they are about different things. A difference of null: they agree. */
function compare(
  one: Statement,
  other: Statement,
): { difference: Pick<Difference, "kind" | "isClear"> | null; likeness: number } | null {
  const isDenied = one.isNegated !== other.isNegated;
  if (!isDenied && (one.values.length === 0 || other.values.length === 0)) {
    return one.values.length === other.values.length && likenessOf(one, other).share > 0.9
      ? { difference: null, likeness: 1 }
      : null;
  }
  const { share, telling, isReplaced } = likenessOf(one, other);
  if (share < 0.5 || telling === 0) return null;
  const { differing, onlyOne, onlyOther, sameLabels } = compareValues(one.values, other.values);
  // A few words need the same heading above them.
  const isElsewhere = telling < 4 && isOther(one.context, other.context);
  const isClear = share >= 0.75 && !isReplaced && !isElsewhere &&
    telling + sameLabels >= (one.context.length > 0 && other.context.length > 0 ? 1 : 2);
  if (isDenied) {
    if (differing.length > 0 || onlyOne + onlyOther > 0 || telling < 2 || share < 0.7) return null;
    return { difference: { kind: "negation", isClear: isClear && share >= 0.9 && telling < 15 }, likeness: share };
  }
  if (differing.length === 0) {
    return onlyOne + onlyOther === 0 && share > 0.9 ? { difference: null, likeness: share } : null;
  }
  const [{ kind, label, count, mayBeName }] = differing as [typeof differing[0]];
  if (differing.length > 1 || onlyOne > 0 && onlyOther > 0) return null;
  // A day or a year may be what the rest is said of.
  if ((label === "weekday" || label === "year" || label === "duration") && sameLabels > 0) return null;
  const isWhole = !mayBeName && onlyOne + onlyOther === 0 && (count === 1 || count < 4 && share >= 0.95);
  return { difference: { kind, isClear: isClear && isWhole }, likeness: share + sameLabels };
}

/** Compares what has the same label. `onlyOne` and `onlyOther` count the labels that the other has not. */
function compareValues(one: Value[], other: Value[]) {
  const labels = new Set([...one, ...other].map(({ label }) => label));
  const differing: (Pick<Value, "kind" | "label" | "mayBeName"> & { count: number })[] = [];
  let [onlyOne, onlyOther, sameLabels] = [0, 0, 0];
  for (const label of labels) {
    const mine = one.filter((value) => value.label === label);
    let theirs = other.filter((value) => value.label === label);
    if (theirs.length === 0) onlyOne++;
    else if (mine.length === 0) onlyOther++;
    else {
      const count = mine.length;
      const left = mine.filter((value) => {
        const same = theirs.findIndex((each) => mayAgree(value, each));
        if (same >= 0) theirs = theirs.toSpliced(same, 1);
        return same < 0;
      });
      if (left.length === 0 || theirs.length === 0) sameLabels += left.length === theirs.length ? 1 : 0;
      else if (left.length === theirs.length) differing.push({ ...mine[0]!, count });
      // What is said of how many is not known.
      else differing.push({ ...mine[0]!, count }, { ...mine[0]!, count });
    }
  }
  return { differing, onlyOne, onlyOther, sameLabels };
}

/** The share of words that two statements have in common. `isReplaced`: each has a telling word that the other has not. */
function likenessOf(one: Statement, other: Statement) {
  const left = new Set(other.words);
  let [shared, missing, telling] = [0, 0, 0];
  const unmatched: string[] = [];
  for (const word of one.words) {
    if (left.delete(word)) {
      shared += weigh(word);
      telling += isTelling(word) ? 1 : 0;
    } else unmatched.push(word);
  }
  for (const word of unmatched) {
    const near = [...left].find((each) => isForm(word, each));
    if (near === undefined) missing += weigh(word);
    else {
      left.delete(near);
      shared += weigh(word);
      telling += isTelling(word) ? 1 : 0;
    }
  }
  const isMissing = unmatched.some((word) => isTelling(word) && ![...other.words].some((each) => isForm(word, each)));
  const isAdded = [...left].some(isTelling);
  const added = [...left].reduce((sum, word) => sum + weigh(word), 0);
  return { share: shared / (shared + missing + added), telling, isReplaced: isMissing && isAdded };
}

function isOther(context: string[], others: string[]): boolean {
  const lacks = (words: string[], all: string[]) =>
    words.some((word) => isTelling(word) && !all.some((each) => isForm(word, each)));
  return lacks(context, others) && lacks(others, context);
}

function weigh(word: string): number {
  return isTelling(word) ? 1 : 0.25;
}

/** Returns whether two words are likely forms of one. */
function isForm(one: string, other: string): boolean {
  if (one === other) return true;
  const longest = Math.max(one.length, other.length);
  if (longest < 4 || Math.abs(one.length - other.length) > 3) return false;
  const least = Math.max(3, longest - 3);
  return one.slice(0, least) === other.slice(0, least);
}
