import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { Count, requiredId, searchField, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { uuidKey } from "../../core/wire/paging.ts";
import { isNullReply } from "../../infra/db/database.ts";
import { requestStates } from "../requests/fields.ts";

export const threadId = requiredId("threadId", "`thread_id` of an answer, or `id` in a list of threads");

/** The ratings that users can give an answer. */
export const ratings = ["up", "down"] as const;

const threadFields = {
  id: Uuid,
  title: z.string().check(
    z.describe(
      "The title that the user gave it. By default, the first message, shortened at a word to at most 80 characters",
    ),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
  coach_id: z.string(),
  user_id: z.string().check(z.describe("`anonymous-` and a UUID if no user was named")),
  coach_profiles: z.object({
    name: z.string().check(z.describe("The coach's full name")),
    title: z.string().check(z.describe("The coach's professional title")),
  }),
};

/** The state of a thread, in addition to its entry in a list. */
const ThreadState = z.object({
  active_message_id: z.nullable(z.string()).check(
    z.describe("The answer that is being written, to stop it or to stream it again; null if there is none"),
  ),
  handled_by: z.enum(["ai", "expert"]).check(z.describe("Who answers")),
  taken_over_until: z.nullable(Timestamp).check(
    z.describe("The time when the takeover ends automatically unless the expert writes before; null if there is none"),
  ),
  is_pinned: z.boolean(),
  is_archived: z.boolean(),
  request_status: z.nullable(z.enum(requestStates)).check(
    z.describe("The state of the oldest request that waits for the expert: `waiting` or `seen`; null: none waits"),
  ),
  unread: Count.check(
    z.describe(
      "The number of messages that the user has not read: messages of the expert, and answers that were completed " +
        "when nobody was connected to them any more. `markThreadRead` sets it to 0",
    ),
  ),
});

/** The place of a thread that a search has found. */
export const excerpt = z.array(z.string()).check(
  z.describe(
    "With a search, for the first 100 of a list: plain text around the words that were found, in the message that has most of them or in the title. " +
      "Every second part is such a word, beginning with the second one: " + '`["Where do ", "owls", " sleep?"]`',
  ),
);

/** A conversation of one user with one coach, as in lists: its state is only included on request. */
export const Thread = z.object({
  ...threadFields,
  ...z.partial(ThreadState).shape,
  excerpt: z.optional(excerpt),
});

/** A conversation with its state. */
export const ThreadWithState = z.object({ ...threadFields, ...ThreadState.shape });

/** The thread that Postgres has returned. @throws 404 for none: the caller has no such thread. */
export function requireThread(reply: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (isNullReply(reply)) throw errors.threadNotFound();
  return reply;
}

/** The tie-breaker of lists of threads. In the cursor of a search, the score of the last thread comes first. */
export const searchedKey = new RegExp(`(?:\\d{1,16}_)?${uuidKey.source}`);

/** The field `search` of lists of threads. */
export const search = searchField(
  "Words to look for in titles and messages. Any of them may match; the best match comes first. The last word " +
    "may be incomplete. An empty search is ignored",
);

/** Checks that a cursor is of the same list: of a search, or without one. */
export const cursorFitsSearch = z.refine<{ search?: string; cursor?: string }>(
  ({ search, cursor }) => cursor === undefined || (cursor.split("_").length === 3) === isSearch(search),
  { error: "cursor must be a next_cursor of this list", path: ["cursor"] },
);

/** Returns true if there is something to search for. */
export function isSearch(search: string | undefined): search is string {
  return search !== undefined && search.trim() !== "";
}

/** The field `include`, a list of names: what a reply shows only when it is asked for, comma separated. */
export function includeField<const Name extends string>(names: readonly Name[], description: string) {
  const isName = (text: string): text is Name => (names as readonly string[]).includes(text);
  const error = `include must be ${names.join(", ")} or several of them, comma separated, each at most once`;
  const list = z.string(error).check(z.refine((text) => {
    const asked = text.split(",");
    return asked.every(isName) && new Set(asked).size === asked.length;
  }, error));
  return z.optional(z.pipe(list, z.transform((text) => text.split(",").filter(isName)))).check(z.describe(description));
}
