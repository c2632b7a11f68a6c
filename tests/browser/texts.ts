/** The texts of the pages, by language, for tests that look for them. */
import { fillPlural } from "../../shared/clients/page/ui/fill.ts";
import ar from "../../shared/clients/page/texts/ar.json" with { type: "json" };
import de from "../../shared/clients/page/texts/de.json" with { type: "json" };
import en from "../../shared/clients/page/texts/en.json" with { type: "json" };

export { ar, de, en };
export { default as es } from "../../shared/clients/page/texts/es.json" with { type: "json" };
export { default as fr } from "../../shared/clients/page/texts/fr.json" with { type: "json" };
export { default as pt } from "../../shared/clients/page/texts/pt.json" with { type: "json" };
export { fill } from "../../shared/clients/page/ui/fill.ts";

/** The languages of which a walk takes one: English, another one, and one from right to left. */
export const languagesOfWalks = [
  { locale: "en-GB", texts: en },
  { locale: "de-DE", texts: de },
  { locale: "ar-EG", texts: ar },
];

/** Chooses the English form for a number, and fills in `{count}` and other values. */
export function plural(
  text: { one?: string; other: string },
  count: number,
  values: Record<string, string | number> = {},
): string {
  return fillPlural(text, { ...values, count, locale: "en" });
}

/** A pattern for each placeholder of a text. A placeholder without one stands for any characters. */
type Patterns = Record<string, RegExp>;

/** Matches a text whose placeholders are filled in, and nothing else but space around it. */
export function whole(text: string, patterns: Patterns = {}): RegExp {
  return new RegExp(`^\\s*${sourceOf(text, patterns)}\\s*$`);
}

/** Matches everything that begins with a text, such as the name of a field that has a hint. */
export function startOf(text: string, patterns: Patterns = {}): RegExp {
  return new RegExp(`^\\s*${sourceOf(text, patterns)}`);
}

/** Matches everything in which a text occurs. */
export function part(text: string, patterns: Patterns = {}): RegExp {
  return new RegExp(sourceOf(text, patterns));
}

function sourceOf(text: string, patterns: Patterns): string {
  // RegExp.escape() would write letters and spaces as codes, which nobody can read in a failure.
  const escape = (piece: string) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pieces = text.split(/{(\w+)}/);
  return pieces.map((piece, index) => index % 2 === 0 ? escape(piece) : patterns[piece]?.source ?? ".+").join("");
}
