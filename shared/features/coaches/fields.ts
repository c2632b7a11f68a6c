import * as z from "zod/mini";
import { errors } from "../../base/errors.ts";
import { countCharacters } from "../../base/text/count_characters.ts";
import { isStorableText } from "../../base/text/storable_text.ts";
import { stripInvisible } from "../../base/text/strip_invisible.ts";
import { requiredId } from "../../core/wire/fields.ts";

export const coachId = requiredId("coachId", "The coach whose owner makes the request");

/** A persona that the caller may talk to. */
export const Coach = z.object({
  id: z.string().check(z.describe("The `coachId` of other requests")),
  name: z.string().check(z.describe("The coach's full name")),
  title: z.string().check(z.describe("The coach's professional title")),
  picture_url: z.nullable(z.string()).check(
    z.describe("The address of the coach's picture, which everybody can read; null if there is none"),
  ),
  greeting: z.nullable(z.string()).check(
    z.describe("The text to show before the first message; null if there is none"),
  ),
  starters: z.array(z.string()).check(z.describe("Up to six questions to suggest as the first message")),
  is_ai: z.literal(true).check(z.describe("The coach is a persona played by a language model, not a person")),
  sources_are_open: z.boolean().check(
    z.describe("True if everyone who may talk to the coach may also read the files that its answers draw on"),
  ),
  slug: z.nullable(z.string()).check(
    z.describe("The name of the coach in addresses, which stands for its `id` wherever that is asked for"),
  ),
  accent_color: z.nullable(z.string()).check(
    z.describe("The color of buttons and links of its page, such as `#0a7d5c`; null: the usual one"),
  ),
  launcher_text: z.nullable(z.string()).check(
    z.describe("The words of its button on other sites; null: the usual ones"),
  ),
  retention_days: z.nullable(z.int()).check(
    z.describe("For how many days threads are kept after their last message; null: until they are deleted"),
  ),
});

/** Settings of a coach, which hold at once, without being published. */
export const CoachSettings = z.object({
  slug: Coach.shape.slug.check(z.describe("Null until the coach is first published")),
  is_active: z.boolean().check(z.describe("Whether the coach answers: false if it is paused or was never published")),
  sources_are_open: z.boolean(),
  accent_color: Coach.shape.accent_color,
  launcher_text: Coach.shape.launcher_text,
});

/** The errors of every operation for the owners of a coach. */
export const ofOwners = () => [errors.roleNotSufficient(), errors.notTheExpert(), errors.coachNotFound()];

/** A text of one line, without white space at its ends. */
export function lineField(name: string, most: number) {
  return z.string(`${name} must be a string`).check(
    z.overwrite((text) => stripInvisible(text).trim()),
    z.refine(
      (text) => text !== "" && countCharacters(text) <= most && isStorableText(text) && !/\p{Cc}/u.test(text),
      `${name} must be one line of 1 to ${most} characters`,
    ),
    z.meta({ minLength: 1, maxLength: most }),
  );
}
