import * as z from "zod/mini";
import { countCharacters, isStorableText, withCommas } from "../../libs/base/text.ts";

/** The differences between fields of text. */
export type TextOptions = {
  /** Changes a text before it is checked; by default, takes white space off its ends. */
  clean?: (text: string) => string;
  /** The sentence for what is no text at all. */
  error?: string | ((issue: { input?: unknown }) => string);
};

/** A text that is not blank and that Postgres can hold, of at most `most` characters. */
export function textField(
  name: string,
  most: number,
  { clean = (text) => text.trim(), error = `${name} must be a string` }: TextOptions = {},
) {
  return z.string({ error }).check(
    z.overwrite(clean),
    z.refine((text) => text.trim() !== "", { error: `${name} must not be blank`, abort: true }),
    z.refine(
      (text) => countCharacters(text) <= most,
      { error: `${name} must be at most ${withCommas(most)} characters long`, abort: true },
    ),
    z.refine(isStorableText, `${name} must not contain NUL characters or unpaired surrogates`),
    z.meta({ minLength: 1, maxLength: most }),
  );
}

/** The same for a text that stays as it was sent. One that is left out has a sentence of its own. */
export function exactTextField(name: string, most: number) {
  return textField(name, most, {
    clean: (text) => text,
    error: ({ input }) => input === undefined ? `${name} is required` : `${name} must be a string`,
  });
}

/** The field `search` of a list. */
export function searchField(description: string) {
  return z.optional(
    z.string("search must be a string").check(
      z.refine(isStorableText, "search must not contain NUL characters or unpaired surrogates"),
    ),
  ).check(z.describe(description));
}
