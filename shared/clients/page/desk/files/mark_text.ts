/** The acts of the buttons of the bar. */
export type Mark = "bold" | "italic" | "heading" | "list" | "numbers" | "link";

/** A change of a text: the characters from one place to another become others, and some of the new text is selected. */
export type Edit = { from: number; to: number; text: string; select: [from: number, to: number] };

/** The mark of a line of a list, with the blanks around it. */
const listMark = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/;

/** The change of a text that a button makes at a selection: marks that are there already are taken away again. */
export function markText(text: string, from: number, to: number, mark: Mark): Edit {
  if (mark === "link") return link(text, from, to);
  if (mark === "bold") return wrap(text, from, to, "**");
  if (mark === "italic") return wrap(text, from, to, "*");
  return markLines(text, from, to, mark);
}

/** The change that the Enter key makes in a list: a new line of it, or its end on an empty line; null elsewhere. */
export function continueList(text: string, at: number): Edit | null {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const [mark] = listMark.exec(text.slice(start, at)) ?? [];
  if (mark === undefined) return null;
  if (start + mark.length === at && (text[at] ?? "\n") === "\n") {
    // Without an empty line, what comes next would belong to the list.
    return { from: start, to: at, text: "\n", select: [start + 1, start + 1] };
  }
  const next = `\n${mark.replace(/\d+/, (number) => String(Number(number) + 1))}`;
  return { from: at, to: at, text: next, select: [at + next.length, at + next.length] };
}

/** What stands before the words of a line, such as the mark of a list, its words, and the blanks behind them. */
const partsOfLine = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6}|>)[ \t]+)?)(.*?)([ \t]*)$/s;

/** Puts asterisks around each line of a selection, behind the marks of lists and headings, or takes them away. */
function wrap(text: string, from: number, to: number, mark: "*" | "**"): Edit {
  // Blanks at the ends of a selection stay outside: between asterisks, they would undo them.
  const selected = text.slice(from, to);
  if (selected.trim() !== "") {
    from += selected.length - selected.trimStart().length;
    to -= selected.length - selected.trimEnd().length;
  }
  const [before, after] = [/\**$/.exec(text.slice(0, from))![0].length, /^\**/.exec(text.slice(to))![0].length];
  // At the end of what is marked, a caret leaves it.
  if (from === to && before === 0 && hasMark(after, mark) && /^(?:$|[\s\p{P}])/u.test(text.slice(to + after))) {
    return { from, to, text: "", select: [to + mark.length, to + mark.length] };
  }
  if (hasMark(Math.min(before, after), mark)) {
    const inner = text.slice(from, to);
    const start = from - mark.length;
    return { from: start, to: to + mark.length, text: inner, select: [start, start + inner.length] };
  }
  const lines = text.slice(from, to).split("\n").map((line) => {
    const [, head = "", words = "", blanks = ""] = partsOfLine.exec(line)!;
    return { head, words, blanks };
  });
  if (lines.length === 1 && lines[0]!.words === "") {
    const middle = from + mark.length;
    return { from, to, text: `${mark}${text.slice(from, to)}${mark}`, select: [middle, middle + to - from] };
  }
  const isMarked = lines.every(({ words }) => words === "" || hasMark(countMarks(words), mark));
  const changed = lines.map(({ head, words, blanks }) => {
    const inner = words === ""
      ? ""
      : isMarked
      ? words.slice(mark.length, -mark.length)
      : hasMark(countMarks(words), mark)
      ? words
      : `${mark}${words.replace(withinWords[mark], "")}${mark}`;
    return head + inner + blanks;
  }).join("\n");
  const isWithin = lines.length === 1 && !isMarked;
  const start = from + (isWithin ? lines[0]!.head.length + mark.length : 0);
  const end = from + changed.length - (isWithin ? mark.length : 0);
  return { from, to, text: changed, select: [start, end] };
}

/** The marks of parts of what is to be marked as a whole; a sign of multiplication is none. */
const withinWords = { "**": /\*\*/g, "*": /(?<![*\s])\*(?!\*)|(?<!\*)\*(?![*\s])/g };

/** The number of asterisks on both sides of words; 0 if there are others between them. */
function countMarks(words: string): number {
  const [, before = "", after = ""] = /^(\**)[^*]+(\**)$/.exec(words) ?? [];
  return Math.min(before.length, after.length);
}

/** Returns true if asterisks include a mark: three are both. */
function hasMark(asterisks: number, mark: "*" | "**"): boolean {
  return asterisks >= 3 || asterisks === mark.length;
}

/** Marks the lines of a selection as headings, of two sizes in turn, or as a list. */
function markLines(text: string, from: number, to: number, mark: "heading" | "list" | "numbers"): Edit {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  // A selection that ends where a line begins does not include it.
  const last = to > from && text[to - 1] === "\n" ? to - 1 : to;
  const end = text.indexOf("\n", last) < 0 ? text.length : text.indexOf("\n", last);
  const lines = text.slice(start, end).split("\n");
  const written = lines.filter((line) => line.trim() !== "");
  const isOf = { list: /^[ \t]*[-*+][ \t]+/, numbers: /^[ \t]*\d{1,9}[.)][ \t]+/, heading: /^#{1,6}[ \t]+/ }[mark];
  const isMarked = written.length > 0 && written.every((line) => isOf.test(line));
  const isLarge = mark === "heading" && isMarked && written.every((line) => /^##?[ \t]/.test(line));
  let number = 0;
  const changed = lines.map((line) => {
    if (line.trim() === "" && lines.length > 1) return line;
    const bare = line.replace(mark === "heading" ? isOf : listMark, "");
    if (isMarked && !isLarge) return bare;
    if (mark === "heading") return `${isLarge ? "###" : "##"} ${bare}`;
    return `${mark === "list" ? "-" : `${++number}.`} ${bare}`;
  }).join("\n");
  // A caret stays where it is in its line; a selection becomes the lines.
  const caret = Math.max(start, start + changed.length - (end - from));
  return {
    from: start,
    to: end,
    text: changed,
    select: from === to ? [caret, caret] : [start, start + changed.length],
  };
}

/** Makes a selection a link, and selects what is missing of it. */
function link(text: string, from: number, to: number): Edit {
  const selected = text.slice(from, to);
  const isAddress = /^(?:https?:\/\/|mailto:)\S+$/i.test(selected);
  const written = isAddress ? `[](${selected})` : `[${selected}](https://)`;
  // Without words, those come first; otherwise the address.
  const place = from + (isAddress || selected === "" ? 1 : selected.length + 3);
  return { from, to, text: written, select: [place, place + (isAddress || selected === "" ? 0 : "https://".length)] };
}
