import { en, type Wording } from "../texts/texts.ts";
import { chooseLanguage, loadTexts } from "../ui/language.ts";

export { fill } from "../ui/fill.ts";

const english: Wording<typeof en.consent & Pick<typeof en, "shared">> = { ...en.consent, shared: en.shared };

/** The texts of the consent page, and those that it shares with the others. */
export type ConsentTexts = typeof english;

/** The texts in the language of the page. To be read while rendering. */
export let t: ConsentTexts = english;

/** The locale for dates, such as `de-AT`. */
export let locale = "en";

/** Changes the language of the page: to a tag, or the browser's language if it is empty. */
export async function speak(wanted: string): Promise<void> {
  const chosen = chooseLanguage(wanted);
  const texts = await loadTexts<ConsentTexts>("human-consent", chosen.language);
  locale = texts || chosen.language === "en" ? chosen.locale : "en";
  t = { ...english, ...texts, shared: { ...english.shared, ...texts?.shared, locale } };
}
