import { html, nothing, type TemplateResult } from "lit";

/** The marks of Markdown, which a screen reader would read out: "star star". */
const marks = /^[-:| ]{3,}$|^ *(?:#+|[*>-]|\d+\.) (?:\[[ x]\] )?|\*\*|__|~~|`+|\||\$(?=\S)|(?<=\S)\$/gm;

/** A text without the marks of Markdown. Of a link, its words stay. */
export function withoutMarks(text: string): string {
  return text.replace(/!?\[([^\]\n]*)\]\([^)\s]*(?:\)|$)/g, "$1").replace(marks, "");
}

/** The initials of a name, without titles such as "Dr.", unless there is nothing else. */
export function initialsOf(name: string): string {
  const all = name.split(/\s+/).filter(Boolean);
  const names = all.filter((word) => !/^(?:(?:\p{L}{2,}|د)\.|Dr|Prof)$/u.test(word));
  const words = names.length > 0 ? names : all;
  return [words[0], ...words.slice(1).slice(-1)].map((word = "") => [...word][0]).join("").toUpperCase();
}

/** A text in which the words of an excerpt that were searched for are marked. */
export function markWords(text: string, excerpt: string[] = []): (string | TemplateResult)[] {
  const found = new Set(excerpt.filter((_, place) => place % 2 === 1).map((word) => word.toLowerCase()));
  return text.split(/([\p{L}\p{M}\p{N}]+)/u).map((part) => found.has(part.toLowerCase()) ? mark(part) : part);
}

/** The place that a search has found, unless the title shows it already. */
export function showExcerpt(title: string, excerpt: string[] = []): TemplateResult | typeof nothing {
  if (title.includes(excerpt.join("").trim())) return nothing;
  // A link that a found word is in is one piece.
  const plain = withoutMarks(excerpt.map((part, place) => place % 2 === 1 ? `\ue000${part}\ue001` : part).join(""));
  return html`<span class="excerpt" dir="auto">${
    plain.split(/\ue000(.*?)\ue001/s).map((part, place) => place % 2 === 1 ? mark(part) : part)
  }</span>`;
}

function mark(word: string): TemplateResult {
  return html`<mark>${word}</mark>`;
}
