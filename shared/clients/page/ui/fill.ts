import type { Plural } from "../texts/wording.ts";

/** Replaces the placeholders of a text. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/{(\w+)}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * Chooses the form of a text that fits a number. Its placeholder `{count}` becomes the number, as the locale writes it.
 *
 * @param text may have one form for all numbers
 */
export function fillPlural(
  text: string | Plural,
  { count, locale, ...values }: { count: number; locale: string; [name: string]: string | number },
): string {
  const form = typeof text === "string" ? text : text[new Intl.PluralRules(locale).select(count)] ?? text.other;
  return fill(form, { ...values, count: new Intl.NumberFormat(locale).format(count) });
}
