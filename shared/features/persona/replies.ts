import * as z from "zod/mini";
import { Count, NextCursor, Timestamp, Uuid } from "../../core/wire/fields.ts";

/** An expert, as the other experts of the persona see them. */
const Author = z.object({ user_id: Uuid, email: z.nullable(z.string()) });

const personaFields = {
  name: z.string(),
  title: z.string(),
  picture_url: z.nullable(z.string()).check(
    z.describe("The address of the picture, which everybody can read; null if there is none"),
  ),
  greeting: z.nullable(z.string()),
  starters: z.array(z.string()),
  instructions: z.string(),
  no_answer: z.nullable(z.string()),
  takeover_notice: z.nullable(z.string()),
  language: z.string(),
};

/** The persona as it would be if its draft were published. */
export const PersonaDraft = z.object({
  ...personaFields,
  version: z.int().check(z.describe("The version that is published: `if_version` of `publish`")),
  based_on: z.int().check(
    z.describe(
      "The version that was published when the draft was begun, or that `if_version` has named since; lower than " +
        "`version` if something else was published meanwhile",
    ),
  ),
  revision: Count.check(z.describe("Counted up each time the draft is saved: `if_revision`; 0 if there is no draft")),
  saved_at: z.nullable(Timestamp),
  saved_by: z.nullable(Author).check(z.describe("Null if there is no draft, or a server has saved it with its key")),
  changes: z.array(z.string()).check(
    z.describe("The names of the fields that differ from what is published; the picture is `picture`"),
  ),
});

/** Reply of `DELETE /coaches/{coachId}/draft`. */
export const DeletedDraft = z.object({ message: z.literal("Draft deleted successfully"), coachId: z.string() });

const versionFields = {
  version: z.int(),
  published_at: Timestamp,
  published_by: z.nullable(Author).check(
    z.describe("Null if an operator or a server with its key has changed the persona, or the expert is gone"),
  ),
  changes: z.array(z.string()).check(
    z.describe(
      "The names of what differs from the version before, also of settings that only operators change, such as " +
        "`model`; empty for the first version",
    ),
  ),
  restored_from: z.nullable(z.int()).check(z.describe("The earlier version that was restored; null if none was")),
};

/** A version of the persona, without its fields. */
export const PersonaVersionSummary = z.object(versionFields);

/** A version of the persona. */
export const PersonaVersion = z.object({ ...versionFields, ...personaFields });

/** Reply of `GET /coaches/{coachId}/versions`. */
export const PersonaVersionList = z.object({
  data: z.array(PersonaVersionSummary).check(z.describe("Newest first: the first is what is published")),
  count: Count.check(z.describe("The number of versions in `data`")),
  next_cursor: NextCursor,
});
