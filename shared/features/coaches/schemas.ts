import * as z from "zod/mini";
import { countCharacters } from "../../base/text/count_characters.ts";
import { isStorableText } from "../../base/text/storable_text.ts";
import { stripInvisible } from "../../base/text/strip_invisible.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { cursorField, limitField } from "../../core/wire/paging.ts";
import { cursorForm, readCursor } from "./cursor.ts";

/** Input of `listCoaches`. The cursor contains the ID, because coaches may have the same name. */
export const ListCoachesInput = z.object({
  limit: limitField,
  cursor: cursorField(cursorForm, (cursor) => readCursor(cursor) !== null),
});
export type ListCoachesInput = z.infer<typeof ListCoachesInput>;

/** Input of `getCoach`. */
export const GetCoachInput = z.object({
  coachId: requiredId("coachId", "The coach: `id` in the list of coaches"),
});
export type GetCoachInput = z.infer<typeof GetCoachInput>;

const coachId = requiredId("coachId", "The coach whose owner makes the request");

/** Input of `getSettings`. */
export const GetSettingsInput = z.object({ coachId });
export type GetSettingsInput = z.infer<typeof GetSettingsInput>;

const flag = (name: string) => z.optional(z.boolean(`${name} must be true or false`));
const colorError = "accent_color must be a color such as #0a7d5c, or null";

/** Input of `saveSettings`. */
export const SaveSettingsInput = z.object({
  coachId,
  slug: z.optional(z.string("slug must be a string")).check(
    z.describe(
      "The name of the coach in addresses: 3 to 40 of `a-z`, `0-9` and `-`. It can be changed ten times; earlier ones " +
        "go on leading to the coach",
    ),
  ),
  is_active: flag("is_active").check(
    z.describe("`false` pauses the coach: nobody can talk to it, but threads stay readable"),
  ),
  sources_are_open: flag("sources_are_open").check(
    z.describe("Whether everyone who may talk to the coach may also read the files that its answers draw on"),
  ),
  accent_color: z.optional(
    z.nullable(
      z.string(colorError).check(
        z.overwrite((color) => color.toLowerCase()),
        z.regex(/^#[0-9a-f]{6}$/, colorError),
      ),
    ),
  )
    .check(z.describe("The color of buttons and links of its page; null: the usual one")),
  launcher_text: z.optional(z.nullable(lineField("launcher_text", 60))).check(
    z.describe("The words of its button on other sites; null: the usual ones"),
  ),
});
export type SaveSettingsInput = z.infer<typeof SaveSettingsInput>;

/** Input of `deleteCoach`. */
export const DeleteCoachInput = z.object({
  coachId,
  confirm: z.string("confirm is required: the published name of the coach").check(
    z.describe("The published name of the coach"),
  ),
});
export type DeleteCoachInput = z.infer<typeof DeleteCoachInput>;

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
