import { z } from "zod";

/** What is said of an input that is absent, and of one that is bad. */
export const because = (sentence: string) => ({
  error: ({ input }: { input?: unknown }) => input === undefined || input === null ? "is missing" : sentence,
});

/** An id that Postgres has made. */
export const id = z.guid(because("is no id: those look like 123e4567-e89b-42d3-a456-426614174000"));

/** Any text that is not blank. */
export const text = z.string(because("is no text")).refine((value) => value.trim() !== "", "is blank");

/** A day that exists. */
export const day = z.iso.date(because("is no day: those look like 2026-12-31"));

/** A whole number, as Postgres has room for it. */
export function wholeNumber(least: number, most = 2_147_483_647) {
  const sentence = `is no whole number from ${least} to ${most}`;
  return z.string().regex(/^\d{1,10}$/, sentence).transform(Number)
    .refine((value) => value >= least && value <= most, sentence);
}

/** Words with commas between them. */
export function wordsOf<const Word extends string>(words: readonly Word[]) {
  return z.string().transform((value) => value.split(",").map((word) => word.trim()))
    .pipe(z.array(z.enum(words, { error: `has to be among ${words.join(",")}, with commas between them` })));
}
