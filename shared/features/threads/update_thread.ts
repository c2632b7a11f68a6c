import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { countCharacters, stripInvisible } from "../../libs/base/text.ts";
import { threadColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { requireThread, threadId, ThreadWithState } from "./fields.ts";

const maxTitleCharacters = 120;

/** A title on one line: white space becomes single spaces. */
const titleField = z.string("title must be a string").check(
  z.overwrite((title) => stripInvisible(title).trim().replace(/\s+/g, " ")),
  z.refine((title) => title !== "", { error: "title must not be blank", abort: true }),
  z.refine(
    (title) => countCharacters(title) <= maxTitleCharacters,
    { error: `title must be at most ${maxTitleCharacters} characters long`, abort: true },
  ),
  z.refine(
    (title) => title.isWellFormed() && !/\p{Cc}/u.test(title),
    "title must not contain control characters or unpaired surrogates",
  ),
  z.meta({ minLength: 1, maxLength: maxTitleCharacters }),
);

/** Renames, pins or archives a thread, which keeps its place in the list, and returns it. */
export const operation = defineEndpoint({
  name: "updateThread",
  method: "PATCH",
  path: "/threads/:threadId",
  pathWithoutParameter: "/threads",
  body: "application/json",
  scope: "threads:write",
  failure: "Failed to update the thread",
  // The same change twice leaves the same thread.
  isRepeatable: true,
  errors: () => [errors.threadNotFound()],
  // Fields that are left out do not change.
  input: z.object({
    threadId,
    title: z.optional(titleField).check(z.describe("The new title; line breaks become spaces")),
    is_pinned: z.optional(z.boolean("is_pinned must be true or false")).check(
      z.describe("Whether the thread is pinned. This does not change the order of lists"),
    ),
    is_archived: z.optional(z.boolean("is_archived must be true or false")).check(
      z.describe("Whether the thread is archived. Lists can leave it out"),
    ),
  }).check(z.refine(
    ({ title, is_pinned, is_archived }) => [title, is_pinned, is_archived].some((value) => value !== undefined),
    "One of title, is_pinned and is_archived is required",
  )),
  output: ThreadWithState,
  verb: async ({ database, userId }, { threadId, title = null, is_pinned = null, is_archived = null }) =>
    requireThread(
      await database.callForBytes("update_thread", {
        ...threadColumns({ threadId, userId }),
        title,
        is_pinned,
        is_archived,
      }),
    ),
});
