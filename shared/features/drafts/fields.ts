import * as z from "zod/mini";
import { Count, requiredId, Timestamp, wholeNumber } from "../../core/wire/fields.ts";
import { replyFields } from "../coaches/coach_fields.ts";
import { ExpertName } from "../experts/fields.ts";

const personaFields = {
  ...replyFields("draft"),
  picture_url: z.nullable(z.string()).check(
    z.describe("The address of the picture, which everybody can read; null if there is none"),
  ),
};

/** The persona as it would be if its draft were published. */
export const PersonaDraft = z.object({
  ...personaFields,
  version: z.int().check(z.describe("The version that is published, 0 if none ever was: `if_version` of `publish`")),
  based_on: z.int().check(
    z.describe(
      "The version that was published when the draft was begun, or that `if_version` has named since; lower than " +
        "`version` if something else was published meanwhile",
    ),
  ),
  revision: Count.check(z.describe("Counted up each time the draft is saved: `if_revision`; 0 if there is no draft")),
  saved_at: z.nullable(Timestamp),
  saved_by: z.nullable(ExpertName).check(
    z.describe("Null if there is no draft, or a server has saved it with its key"),
  ),
  changes: z.array(z.string()).check(
    z.describe("The names of the fields that differ from what is published; the picture is `picture`"),
  ),
});

/** A version of the persona, without its fields. */
export const PersonaVersionSummary = z.object({
  version: z.int(),
  published_at: Timestamp,
  published_by: z.nullable(ExpertName).check(
    z.describe("Null if an operator or a server with its key has changed the persona, or the expert is gone"),
  ),
  changes: z.array(z.string()).check(
    z.describe(
      "The names of what differs from the version before, also of settings that only operators change, such as " +
        "`model`; empty for the first version",
    ),
  ),
  restored_from: z.nullable(z.int()).check(z.describe("The earlier version that was restored; null if none was")),
});

/** A version of the persona. */
export const PersonaVersion = z.object({ ...PersonaVersionSummary.shape, ...personaFields });

/** The number of a version, as a client names it; -1, which no version has, for anything else. */
export function numberOfVersion(version: string): number {
  return /^(?:0|[1-9]\d{0,8})$/.test(version) ? Number(version) : -1;
}

export const version = requiredId(
  "version",
  "The number of the version: `version` in the list; 0: what the persona was made as, unless it was published at once",
);

/** A number that a reply has shown. */
function seenField(name: string) {
  return wholeNumber(name, { least: 0, error: `${name} must be a whole number, 0 or higher` });
}

export const ifVersion = z.nullish(seenField("if_version")).check(
  z.describe("Refuses with 409 `version_changed` if another version is published now"),
);
export const ifRevision = z.nullish(seenField("if_revision")).check(
  z.describe("Refuses with 409 `draft_changed` if the draft has another `revision` now; 0: there was none"),
);
