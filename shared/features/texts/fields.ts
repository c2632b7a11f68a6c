import * as z from "zod/mini";
import { countCharacters, isStorableText, withCommas } from "../../libs/base/text.ts";
import { requiredCoachId, requiredId, textField, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { ExpertName } from "../experts/fields.ts";

export const coachId = requiredCoachId("The coach that the text belongs to");
export const fileId = requiredId("fileId", "The text: its `fileId`, as that of every file");

/** The most characters of a text. */
const mostCharacters = 200_000;
/** The largest body of a request with a text: each character as JSON may take six bytes. */
export const maxBytes = 2 * 1024 * 1024;

/** The fields that an expert writes. */
export const written = {
  title: textField("title", 200, { error: "title is required" }).check(
    z.describe("One line: the first heading, and the name of the file"),
  ),
  content: z.string("content is required").check(
    z.refine((text) => countCharacters(text) <= mostCharacters, {
      error: `content must be at most ${withCommas(mostCharacters)} characters long`,
      abort: true,
    }),
    z.refine(isStorableText, "content must not contain NUL characters or unpaired surrogates"),
    z.meta({ maxLength: mostCharacters, description: "Markdown, without the title" }),
  ),
};

/** A text that experts write at the desk. */
export const WrittenText = z.object({
  fileId: Uuid,
  title: z.string(),
  content: z.string().check(z.describe("Markdown, without the title")),
  version: z.int().check(z.gte(1), z.describe("Increases with every change")),
  saved_at: Timestamp,
  saved_by: z.nullable(ExpertName).check(
    z.describe("Null if a server has saved it with its key, or the expert is gone"),
  ),
});
