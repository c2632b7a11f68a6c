import { z } from "zod";
import { countCharacters } from "../../../shared/base/text/count_characters.ts";

/** The messages for an input that is missing, and for one that is wrong. */
export const because = (sentence: string) => ({
  error: ({ input }: { input?: unknown }) => input === undefined || input === null ? "is missing" : sentence,
});

/** An id that Postgres has made. */
export const id = z.guid(because("is not a valid ID (an ID looks like 123e4567-e89b-42d3-a456-426614174000)"));

/** Any text that is not blank. */
export const text = z.string(because("is not valid text")).refine((value) => value.trim() !== "", "is blank");

/** The same with at most this many characters. */
export function textUpTo(most: number) {
  return text.refine((value) => countCharacters(value) <= most, `has more than ${most} characters`);
}

/** A day that exists. */
export const day = z.iso.date(because("is not a day (a day looks like 2026-12-31)"));

/** A whole number that fits into Postgres's integer. */
export function wholeNumber(least: number, most = 2_147_483_647) {
  const sentence = `is not a whole number from ${least} to ${most}`;
  return z.string().regex(/^\d{1,10}$/, sentence).transform(Number)
    .refine((value) => value >= least && value <= most, sentence);
}

/** Texts with commas between them. */
export const texts = z.string().transform((value) => value.split(",").map((each) => each.trim()))
  .pipe(z.array(z.string().min(1, "has an empty entry")));

/** Words with commas between them. */
export function wordsOf<const Word extends string>(words: readonly Word[]) {
  return z.string().transform((value) => value.split(",").map((word) => word.trim()))
    .pipe(z.array(z.enum(words, { error: `must be one or more of ${words.join(",")}, separated by commas` })));
}
