import { nameLanguage } from "../format.ts";
import { language, locale, t } from "../texts.ts";

/** The language tags of the languages that Postgres knows, by its names for them. */
const tags: Record<string, string> = {
  arabic: "ar",
  armenian: "hy",
  basque: "eu",
  catalan: "ca",
  danish: "da",
  dutch: "nl",
  english: "en",
  finnish: "fi",
  french: "fr",
  german: "de",
  greek: "el",
  hindi: "hi",
  hungarian: "hu",
  indonesian: "id",
  irish: "ga",
  italian: "it",
  lithuanian: "lt",
  nepali: "ne",
  norwegian: "no",
  portuguese: "pt",
  romanian: "ro",
  russian: "ru",
  serbian: "sr",
  spanish: "es",
  swedish: "sv",
  tamil: "ta",
  turkish: "tr",
  yiddish: "yi",
};

/** The language of a persona that is made at a desk: that of the desk. */
export const languageOfDesk = () =>
  ({ en: "english", de: "german", fr: "french", es: "spanish", pt: "portuguese", ar: "arabic" } as const)[language];

/** The name of a persona's language, in the language of the desk. */
export function nameOfLanguage(name: string): string {
  const tag = tags[name];
  if (tag === undefined) return name === "simple" ? t.persona.otherLanguage : name;
  return nameLanguage(tag);
}

/**
 * The languages to choose from, in the order of their names. "Another language" is last: words are then searched for as
 * they are written.
 *
 * @param current the language of the persona, which an operator may have added to the database
 */
export function offeredLanguages(current: string): [value: string, name: string][] {
  const values = new Set([...Object.keys(tags), current]);
  values.delete("simple");
  const named = Array.from(values, (value): [string, string] => [value, nameOfLanguage(value)]);
  const order = new Intl.Collator(locale);
  named.sort(([, one], [, other]) => order.compare(one, other));
  return [...named, ["simple", nameOfLanguage("simple")]];
}
