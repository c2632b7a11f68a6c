import * as z from "zod/mini";
import { errors } from "../../base/errors.ts";
import { stripInvisible } from "../../base/text/strip_invisible.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { textField } from "../../core/wire/text_field.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId } from "../experts/fields.ts";
import { ifRevision, ifVersion, ofRoles, PersonaDraft } from "./fields.ts";

/** A line or a name, without characters that nobody sees. */
const shown = { clean: (text: string) => stripInvisible(text).trim() };

const startersError = "starters must be a list of at most six questions";
const Starter = textField("Each of starters", 200, shown).check(
  z.refine((text) => !/\p{Cc}/u.test(text), "Each of starters must be one line"),
);

/** The fields that experts edit. Those that are left out are as published. */
const personaFields = {
  name: z.optional(textField("name", 200, shown)).check(z.describe("The persona's full name")),
  title: z.optional(textField("title", 200, shown)).check(z.describe("Its professional title")),
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

/** Replaces the draft, but for its picture. Fields that are left out are as published. For owners and editors. */
export const operation = defineEndpoint({
  name: "saveDraft",
  method: "PUT",
  path: "/coaches/:coachId/draft",
  body: "application/json",
  maxBytes: 512 * 1024,
  scope: "expert",
  failure: "Failed to save the draft",
  errors: () => [...ofRoles(), errors.draftChanged(), errors.versionChanged()],
  input: z.object({ coachId, ...personaFields, if_revision: ifRevision, if_version: ifVersion }),
  output: PersonaDraft,
  verb: ({ database, userId, services: { picturesUrl } }, { coachId, if_revision, if_version, ...fields }) =>
    database.callForBytes("save_draft", {
      ...coachColumns({ coachId, userId }),
      fields,
      pictures_url: picturesUrl,
      if_version: if_version ?? null,
      if_revision: if_revision ?? null,
    }),
});
