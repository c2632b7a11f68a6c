import * as z from "zod/mini";
import { countCharacters } from "../../base/text/count_characters.ts";
import { isStorableText } from "../../base/text/storable_text.ts";
import { stripInvisible } from "../../base/text/strip_invisible.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { cursorField, limitField } from "../../core/wire/paging.ts";

const coachId = requiredId("coachId", "The coach whose expert makes the request");
const version = requiredId("version", "The number of the version: `version` in the list");

/** A text of the persona, without white space at its ends. */
function textField(name: string, maxCharacters: number, clean = (text: string) => text) {
  return z.string(`${name} must be a string`).check(
    z.overwrite((text) => clean(text).trim()),
    z.refine((text) => text !== "", { error: `${name} must not be blank`, abort: true }),
    z.refine(
      (text) => countCharacters(text) <= maxCharacters,
      { error: `${name} must be at most ${maxCharacters.toLocaleString("en")} characters long`, abort: true },
    ),
    z.refine(isStorableText, `${name} must not contain NUL characters or unpaired surrogates`),
    z.meta({ minLength: 1, maxLength: maxCharacters }),
  );
}

const startersError = "starters must be a list of at most six questions";
const Starter = textField("Each of starters", 200, stripInvisible).check(
  z.refine((text) => !/\p{Cc}/u.test(text), "Each of starters must be one line"),
);

/** A number that a reply has shown. */
function seenField(name: string, least: number) {
  const error = `${name} must be a whole number, ${least} or higher`;
  return z.int(error).check(z.gte(least, error), z.lte(2_147_483_647, error));
}

const ifVersion = seenField("if_version", 1);
const ifRevision = z.nullish(seenField("if_revision", 0)).check(
  z.describe("Refuses with 409 `draft_changed` if the draft has another `revision` now; 0: there was none"),
);

/** Input of `getDraft`, `deleteDraft` and `removePicture`. */
export const CoachInput = z.object({ coachId });
export type CoachInput = z.infer<typeof CoachInput>;

/** The fields that experts edit. Those that are left out are as published. */
const personaFields = {
  name: z.optional(textField("name", 200, stripInvisible)).check(z.describe("The persona's full name")),
  title: z.optional(textField("title", 200, stripInvisible)).check(z.describe("Its professional title")),
  greeting: z.optional(z.nullable(textField("greeting", 2_000))).check(
    z.describe("The text to show before the first message; null for none"),
  ),
  starters: z.optional(z.array(Starter, startersError).check(z.maxLength(6, startersError))).check(
    z.describe("Up to six questions to suggest as the first message"),
  ),
  instructions: z.optional(textField("instructions", 100_000)).check(
    z.describe("How the persona thinks and speaks: what the model is told"),
  ),
  no_answer: z.optional(z.nullable(textField("no_answer", 1_000))).check(
    z.describe("How it says that it does not know something; null for a default text"),
  ),
  takeover_notice: z.optional(z.nullable(textField("takeover_notice", 1_000))).check(
    z.describe("The notice shown to someone who asks during a takeover; null for a default text"),
  ),
  language: z.optional(
    z.string("language must be a string").check(
      z.regex(/^[A-Za-z_][A-Za-z0-9_.]{0,62}$/, "language must be a text search configuration of Postgres"),
    ),
  ).check(
    z.describe(
      "The language of its files, a text search configuration of Postgres such as `german`. When another one is " +
        "published, the files are indexed again",
    ),
  ),
};

/** The names of these fields. */
export const personaFieldNames = Object.keys(personaFields) as (keyof typeof personaFields)[];

/** Input of `saveDraft`. */
export const SaveDraftInput = z.object({
  coachId,
  ...personaFields,
  if_revision: ifRevision,
  if_version: z.nullish(ifVersion).check(
    z.describe("Refuses with 409 `version_changed` if another version is published now"),
  ),
});
export type SaveDraftInput = z.infer<typeof SaveDraftInput>;

/** Reads the body of a request. */
type ReadBody = () => Promise<Uint8Array>;

/** Input of `setPicture`. In the OpenAPI document, the picture is the whole body. */
export const SetPictureInput = z.object({
  coachId,
  picture: z.custom<ReadBody>((read) => typeof read === "function", "The picture must be a PNG, JPEG or WebP image")
    .check(z.meta({ override: { type: "string", format: "binary", contentEncoding: "binary" } })),
});
export type SetPictureInput = z.infer<typeof SetPictureInput>;

/** Input of `publish`. */
export const PublishInput = z.object({
  coachId,
  if_version: z.int("if_version is required: the version that was published when you looked").check(
    z.gte(1, "if_version must be a whole number, 1 or higher"),
    z.lte(2_147_483_647, "if_version must be a whole number, 1 or higher"),
    z.describe("Refuses with 409 `version_changed` if another version is published now"),
  ),
  if_revision: ifRevision,
});
export type PublishInput = z.infer<typeof PublishInput>;

/** Input of `listVersions`. A cursor is the number of the last version of the page before. */
export const ListVersionsInput = z.object({ coachId, limit: limitField, cursor: cursorField(/^[1-9]\d{0,8}$/) });
export type ListVersionsInput = z.infer<typeof ListVersionsInput>;

/** Input of `getVersion`. */
export const GetVersionInput = z.object({ coachId, version });
export type GetVersionInput = z.infer<typeof GetVersionInput>;

/** Input of `restoreVersion`. */
export const RestoreVersionInput = z.object({
  coachId,
  version,
  if_version: z.nullish(ifVersion).check(
    z.describe("Refuses with 409 `version_changed` if another version is published now"),
  ),
});
export type RestoreVersionInput = z.infer<typeof RestoreVersionInput>;
