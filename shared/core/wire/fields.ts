import * as z from "zod/mini";
import { errorCodes } from "../../infra/errors.ts";
import { countCharacters, isStorableText, withCommas } from "../../libs/base/text.ts";

/** A time: ISO 8601 in UTC, with milliseconds. */
export const Timestamp = z.string().check(
  z.meta({
    format: "date-time",
    pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`,
    examples: ["2026-11-20T16:03:33.140Z"],
    description: "ISO 8601 in UTC",
  }),
);

/** The id of a row. */
export const Uuid = z.string().check(z.meta({ format: "uuid" }));

/** A number of things. */
export const Count = z.int().check(z.gte(0));

/** An id that cannot be left out. Over HTTP it is usually in the path. */
export function requiredId(name: string, description: string) {
  return z.string(`${name} is required`).check(
    z.refine((text) => text.trim() !== "", `${name} is required`),
    z.meta({ description, minLength: 1 }),
  );
}

/** The id of a coach, where one that Postgres cannot hold is a 400. */
export function requiredCoachId(description: string) {
  return z.string("coachId is required").check(
    z.refine((text) => text.trim() !== "", "coachId is required"),
    z.refine(isStorableText, "coachId must not contain NUL characters"),
    z.describe(description),
  );
}

/** The code of an error. */
export const ErrorCode = z.enum(errorCodes).check(z.describe("Names the error for programs"));

/** The cursor of the next page, in replies that are pages. */
export const NextCursor = z.optional(z.nullable(z.string())).check(
  z.describe("Only if a page was requested: the `cursor` of the next page, null on the last"),
);

/** The reply of a list: a page, or all of it. `order` says which of its things come first. */
export function listOf<Item extends z.ZodMiniType>(item: Item, things: string, order: string) {
  return z.object({
    data: z.array(item).check(z.describe(order)),
    count: Count.check(z.describe(`The number of ${things} in \`data\``)),
    next_cursor: NextCursor,
  });
}

/** The differences between fields of text. */
type TextOptions = {
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

/** A whole number within bounds: without an upper one, up to the largest integer of Postgres. */
export function wholeNumber(
  name: string,
  { least, most = 2_147_483_647, error = `${name} must be a whole number from ${least} to ${most}` }: {
    least: number;
    most?: number;
    error?: string;
  },
) {
  return z.int(error).check(z.gte(least, error), z.lte(most, error));
}

/** The field `search` of a list. */
export function searchField(description: string) {
  return z.optional(
    z.string("search must be a string").check(
      z.refine(isStorableText, "search must not contain NUL characters or unpaired surrogates"),
    ),
  ).check(z.describe(description));
}
