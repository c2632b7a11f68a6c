import * as z from "zod/mini";
import { errors } from "../../base/errors.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, CoachSettings, lineField, ofOwners } from "./fields.ts";

const flag = (name: string) => z.optional(z.boolean(`${name} must be true or false`));
const colorError = "accent_color must be a color such as #0a7d5c, or null";

/** Changes those settings that are passed. For owners: 409 for a slug that is taken or was changed too often. */
export const operation = defineEndpoint({
  name: "saveSettings",
  method: "PATCH",
  path: "/coaches/:coachId/settings",
  body: "application/json",
  scope: "expert",
  failure: "Failed to save the settings",
  // The same settings twice are the same settings.
  isRepeatable: true,
  errors: () => [...ofOwners(), errors.notPublished(), errors.slugTaken(), errors.tooManySlugs()],
  input: z.object({
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
  }),
  output: CoachSettings,
  verb: ({ database, userId }, { coachId, ...changes }) =>
    database.callForBytes("save_settings", { ...coachColumns({ coachId, userId }), changes }),
});
