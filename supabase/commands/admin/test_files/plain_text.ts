/**
 * Texts of test files, written so that nobody computes them. promptfoo renders templates (Nunjucks), loads files and runs
 * code where a text begins like it; spreadsheets compute cells that begin like a formula. A character that would begin
 * such a thing is written as a template of nothing but itself, such as `{{'='}}`: promptfoo renders it as the character,
 * so questions and expected texts stay the same. No other template is read.
 */

/** Assertions that run code or call servers, in promptfoo and in tools like it. */
const runners = "javascript|typescript|fn|eval|python|ruby|exec|shell|bash|package|webhook|agent-rubric";
/** The beginning of a text, before which there may be characters that nobody sees. */
const beginning = String.raw`(?<=^[\s\p{Cf}]*)`;
const runner = new RegExp(String.raw`${beginning}(?:not-)*(${runners})\s*(?:\([^)]*\)\s*)?:`, "iu");
const file = /file:\/\//i;
const template = /\{[{%#]/;

/** White space, but for separators of lines and paragraphs: promptfoo renders no template with one of them. */
const space = String.raw`[^\S\u2028\u2029]`;

/** Matches of the characters that have to be written as templates. */
const unsafe = [
  /\{(?=[{%#])|#(?=\})/g,
  /f(?=ile:\/\/)/gi,
  new RegExp(`(?=${runner.source})[a-z]`, "giu"),
  // promptfoo trims, and CSV has line breaks of its own.
  new RegExp(`^${space}|${space}$|\\r`, "g"),
];
/** The same in a cell. Spreadsheets that expect semicolons or tabs split a cell there; some read wide signs like others. */
const unsafeInCell = [...unsafe, /(?<=(?:^|[;\t\n])[\s\p{Cf}"']*)[=+\-@＝＋－＠]/gu];

const escapes: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };
const literal = /\{\{'(\\[nrt\\]|[^'\\])'\}\}/g;

/** Writes a text of a file that no spreadsheet opens. */
export function writePlainText(text: string): string {
  return escape(text, unsafe);
}

/** Writes the text of a cell. */
export function writeCellText(text: string): string {
  return escape(text, unsafeInCell);
}

/** Writes an entry of a list in a cell, in which commas separate entries and `\,` is a comma. */
export function writeEntryText(text: string): string {
  return escape(text, [...unsafeInCell, /\\$/g]).replaceAll(",", "\\,");
}

function escape(text: string, patterns: RegExp[]): string {
  const marked = new Set(patterns.flatMap((pattern) => Array.from(text.matchAll(pattern), ({ index }) => index)));
  const pieces: string[] = [];
  for (let index = text.length - 1; index >= 0; index--) {
    const unit = text[index]!;
    // A brace before a template would become a part of it.
    const isUnsafe = marked.has(index) || unit === "{" && pieces.at(-1)?.startsWith("{");
    pieces.push(isUnsafe ? `{{'${escapes[unit] ?? unit}'}}` : unit);
  }
  return pieces.reverse().join("");
}

const spaceAround = new RegExp(`^${space}+|${space}+$`, "g");

/** Leaves out the white space around a text that would have been written as templates. */
export function trimText(text: string): string {
  return text.replaceAll(spaceAround, "");
}

/** Finds the reason why a text is refused, to be read after its place; null if there is none. */
export function findDanger(text: string): string | null {
  const rest = text.replaceAll(literal, "\ue000");
  if (template.test(rest)) return "has a template ({{, {% or {#), which is not filled in here";
  if (file.test(rest)) return "would read a file (file://)";
  const [, name] = runner.exec(rest) ?? [];
  return name === undefined ? null : `would run code or call a server (${name.toLowerCase()}:)`;
}

/** Reads a text in which `findDanger` has found nothing. */
export function readPlainText(text: string): string {
  return text.replaceAll(
    literal,
    (_, written: string) => Object.keys(escapes).find((character) => escapes[character] === written) ?? written,
  );
}
