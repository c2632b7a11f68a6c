import type { Plural } from "../texts/texts.ts";

/** A letter of a language that is written from right to left. */
const fromRight = /[\u0590-\u08ff]/;

/**
 * Replaces the placeholders of a text. Where directions may differ, a value is kept apart from the text around it.
 *
 * @param locale in which numbers are written; without one, as in code
 */
export function fill(text: string, values: Record<string, string | number>, locale?: string): string {
  return text.replace(/{(\w+)}/g, (whole, name) => {
    const given = values[name] ?? whole;
    const value = typeof given === "number" && locale ? formatNumber(given, locale) : String(given);
    return fromRight.test(text + value) ? `\u2068${value}\u2069` : value;
  });
}

/** Writes a number as it is written in a locale. */
export function formatNumber(number: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(number);
}

/** Chooses the form of a text that fits a number, if it has several, and fills in `{count}` and other values. */
export function fillPlural(
  text: string | Plural,
  { count, locale, ...values }: { count: number; locale: string; [name: string]: string | number },
): string {
  const form = typeof text === "string" ? text : text[new Intl.PluralRules(locale).select(count)] ?? text.other;
  return fill(form, { ...values, count }, locale);
}
