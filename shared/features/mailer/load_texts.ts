import type { MailLanguage } from "../mail/limits.ts";
import type { MailTexts } from "../mail/texts/en.ts";

/** The texts of each language, loaded when a mail needs them. */
const languages: Record<MailLanguage, () => Promise<{ texts: MailTexts }>> = {
  en: () => import("../mail/texts/en.ts"),
  de: () => import("../mail/texts/de.ts"),
  fr: () => import("../mail/texts/fr.ts"),
  es: () => import("../mail/texts/es.ts"),
  pt: () => import("../mail/texts/pt.ts"),
  ar: () => import("../mail/texts/ar.ts"),
};

/** Loads the texts of mails in a language. */
export async function loadTexts(language: MailLanguage): Promise<MailTexts> {
  return (await languages[language]()).texts;
}
