import type { MailLanguage } from "../fields.ts";
import ar from "./ar.json" with { type: "json" };
import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import pt from "./pt.json" with { type: "json" };

/** A text that depends on a number: the forms that the language has, of which `other` always exists. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

type Texts<Of> = {
  [Name in keyof Of]: Of[Name] extends string ? string : Of[Name] extends { other: string } ? Plural : Texts<Of[Name]>;
};

/** The texts of mails in a language: those of the English file, with the same placeholders, such as `{coach}`. */
export type MailTexts = Texts<typeof en>;

/** The texts of mails, by language: few enough to be loaded together, with the writer of mails. */
export const mailTexts: Record<MailLanguage, MailTexts> = { ar, de, en, es, fr, pt };
