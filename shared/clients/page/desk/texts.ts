import type { TemplateResult } from "lit";
import { en, type Plural, type Wording } from "../texts/texts.ts";
import { fill as fillText, fillPlural } from "../ui/fill.ts";
import { chooseLanguage, type Language, loadTexts } from "../ui/language.ts";

const english: Wording<typeof en.desk & { shared: typeof en.shared; reader: typeof en.shared & typeof en.reader }> = {
  ...en.desk,
  shared: en.shared,
  reader: { ...en.shared, ...en.reader },
};

/** The texts of the desk, by panel, and those that it shares with the chat; the reader has its own and those. */
type DeskTexts = typeof english;

/** The texts in the language of the desk. Read them while rendering: constants made of them stay in English. */
export let t: DeskTexts = english;

/** The language of the desk. */
export let language: Language = "en";

/** The locale for dates, numbers and plurals, such as `de-AT`. */
export let locale = "en";

/** Changes the language of the desk: to a tag, or the browser's language if it is empty. Elements have to be rendered again. */
export async function speak(wanted: string): Promise<void> {
  const chosen = chooseLanguage(wanted);
  const texts = await loadTexts<DeskTexts>("human-desk", chosen.language);
  ({ language, locale } = texts || chosen.language === "en" ? chosen : { language: "en", locale: "en" } as const);
  const shared = { ...english.shared, ...texts?.shared, locale };
  t = { ...english, ...texts, shared, reader: { ...english.reader, ...shared, ...texts?.reader } };
}

/** Fills in the placeholders of a text, with numbers as the language of the desk writes them. */
export function fill(text: string, values: Record<string, string | number>): string {
  return fillText(text, values, locale);
}

/** Chooses the form of a text that fits a number, and fills in `{count}` and other values. */
export function plural(text: Plural, count: number, values: Record<string, string | number> = {}): string {
  return fillPlural(text, { ...values, count, locale });
}

/** Fills elements in for the placeholders of a text, so that a sentence stays whole for those who translate it. */
export function fillIn(
  text: string,
  values: Record<string, TemplateResult | string>,
): (TemplateResult | string)[] {
  // The names stand at the odd places.
  return text.split(/{(\w+)}/).map((part, place) => place % 2 === 0 ? part : values[part] ?? `{${part}}`);
}
