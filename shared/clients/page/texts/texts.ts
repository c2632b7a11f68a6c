/**
 * The texts of the pages are a JSON file a language, each with the texts of the English one. Of a language, a script has
 * only the parts that it names, such as `en.chat`:
 *
 * - `shared`: the texts of all pages: the form to sign in, and windows. `locale` is for dates, numbers and
 *   plurals; the page replaces it with that of the browser in the same language. `errors` has the sentences for errors of
 *   the service and of Supabase Auth, by their code: their own sentences are in English, so that only the other languages
 *   have some.
 * - `reader`: those of the window with a source, which the chat loads later. They stand beside the shared ones.
 * - `launcher`: those of the launcher, which has all languages in its script.
 * - `chat`: those of the chat. A site can replace each of them and each of the shared ones.
 * - `consent`: those of the page on which apps are given access.
 * - `desk`: those of the desk, by panel. `parts` has what several panels say, `errors` the sentences for errors by their
 *   code; other errors are shown as the service words them. `reasons` has what the service says of files, websites,
 *   sheets and tests, by its own sentence.
 *
 * @module
 */

import en from "./en.json" with { type: "json" };

export { en };

/** A text that depends on a number: one form for each plural category of its language. `other` is for the rest. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** The texts of a language: as those in English, each with the same placeholders. What is empty there is a list by name. */
export type Wording<English> = {
  [Name in keyof English]: English[Name] extends string ? string
    : English[Name] extends { other: string } ? Plural
    : keyof English[Name] extends never ? Record<string, string>
    : Wording<English[Name]>;
};
