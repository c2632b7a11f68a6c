import * as z from "zod/mini";
import { countCharacters } from "../../base/text/count_characters.ts";
import { isStorableText } from "../../base/text/storable_text.ts";
import { stripInvisible } from "../../base/text/strip_invisible.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { pageFields } from "../../core/wire/paging.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import { ratings } from "./ratings.ts";

const threadKey = new RegExp(uuidPattern.source.slice(1, -1));

/** The tie-breaker of lists of threads. In the cursor of a search, the score of the last thread comes first. */
export const searchedKey = new RegExp(`(?:\\d{1,16}_)?${threadKey.source}`);

/** The field `search` of lists of threads. */
export const searchField = z.optional(
  z.string("search must be a string").check(
    z.refine(isStorableText, "search must not contain NUL characters or unpaired surrogates"),
  ),
).check(
  z.describe(
    "Words to look for in titles and messages. Any of them may match; the best match comes first. The last word " +
      "may be incomplete. An empty search is ignored",
  ),
);

/** Checks that a cursor is of the same list: of a search, or without one. */
export const cursorFitsSearch = z.refine<{ search?: string; cursor?: string }>(
  ({ search, cursor }) => cursor === undefined || (cursor.split("_").length === 3) === isSearch(search),
  { error: "cursor must be a next_cursor of this list", path: ["cursor"] },
);

/** Input of `listThreads`. The cursor contains the ID, because threads may have the same time. */
export const ListThreadsInput = z.object({
  userId: requiredId(
    "userId",
    "The user whose threads to list: any ID that is not blank, as sent with chats; `me` with an access token",
  ),
  coachId: z.optional(z.string("coachId must be a string")).check(
    z.describe("Only threads with this coach; an empty value is ignored"),
  ),
  search: searchField,
  // As texts: over HTTP they are in the query.
  archived: z.optional(z.enum(["true", "false"], "archived must be true or false")).check(
    z.describe("Only archived threads, or only those that are not archived; by default, both"),
  ),
  standalone: z.optional(z.enum(["true", "false"], "standalone must be true or false")).check(
    z.describe(
      "`true`: instead of these, the turns that stand alone. Clients of the function `openai` that keep their " +
        "conversations themselves make them; they are deleted after 30 days",
    ),
  ),
  include: includeField(
    ["state", "coach", "coaches"],
    "`state`: with `active_message_id`, `handled_by`, `taken_over_until`, `is_pinned`, `is_archived` and `unread` " +
      "of each thread. `coaches`: with all coaches that the caller may talk to, as `listCoaches` has them, and " +
      "`unread_by_coach`; `coach`: the same, of the coaches only the one in `coachId`. Not with `search`",
  ),
  ...pageFields(searchedKey),
}).check(cursorFitsSearch);
export type ListThreadsInput = z.infer<typeof ListThreadsInput>;

/** Input of `eraseUser`. */
export const EraseUserInput = z.object({
  userId: requiredId("userId", "The signed-in user: the ID in the access token, or `me`"),
});
export type EraseUserInput = z.infer<typeof EraseUserInput>;

/** Returns true if there is something to search for. */
export function isSearch(search: string | undefined): search is string {
  return search !== undefined && search.trim() !== "";
}

const threadId = requiredId("threadId", "`thread_id` of an answer, or `id` in a list of threads");

/** Input of `getThread`. */
export const GetThreadInput = z.object({ threadId });
export type GetThreadInput = z.infer<typeof GetThreadInput>;

const maxTitleCharacters = 120;

/** A title on one line: white space becomes single spaces. */
const Title = z.string("title must be a string").check(
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

/** Input of `updateThread`. */
export const UpdateThreadInput = z.object({
  threadId,
  title: z.optional(Title).check(z.describe("The new title; line breaks become spaces")),
  is_pinned: z.optional(z.boolean("is_pinned must be true or false")).check(
    z.describe("Whether the thread is pinned. This does not change the order of lists"),
  ),
  is_archived: z.optional(z.boolean("is_archived must be true or false")).check(
    z.describe("Whether the thread is archived. Lists can leave it out"),
  ),
}).check(z.refine(
  ({ title, is_pinned, is_archived }) => [title, is_pinned, is_archived].some((value) => value !== undefined),
  "One of title, is_pinned and is_archived is required",
));
export type UpdateThreadInput = z.infer<typeof UpdateThreadInput>;

/** Input of `markThreadRead`. */
export const MarkThreadReadInput = z.object({ threadId });
export type MarkThreadReadInput = z.infer<typeof MarkThreadReadInput>;

/** Input of `deleteThread`. */
export const DeleteThreadInput = z.object({ threadId });
export type DeleteThreadInput = z.infer<typeof DeleteThreadInput>;

/** Fields of messages that are only returned on request. */
const messageExtras = ["status", "sources", "feedback", "author", "basis"] as const;
export type MessageExtra = typeof messageExtras[number];

const orderError = "order must be asc or desc";

/** Input of `listMessages`. The cursor contains the sequence, because messages may have the same time. */
export const ListMessagesInput = z.object({
  threadId,
  order: z.optional(z.enum(["asc", "desc"], orderError)).check(
    z.describe("`asc`, the default: oldest first; `desc`: newest first"),
  ),
  include: includeField(
    messageExtras,
    "Additional fields of each message, comma separated: `status` (with the error of failed answers; answers that " +
      "have no text, or none yet, are then listed too), `sources`, `feedback`, `author`, and for the expert behind " +
      "the coach `basis`",
  ),
  ...pageFields(/\d{1,15}/),
});
export type ListMessagesInput = z.infer<typeof ListMessagesInput>;

const maxCommentCharacters = 2_000;

/** Input of `rateAnswer`. */
export const RateAnswerInput = z.object({
  threadId: requiredId("threadId", "The thread of the answer"),
  messageId: requiredId("messageId", "The answer: `X-Message-Id` of its reply, or `id` in a list of messages"),
  rating: z.nullable(z.enum(ratings, "rating must be up, down or null")).check(
    z.describe("The user's rating of the answer; null removes it"),
  ),
  comment: z.nullish(
    z.string("comment must be a string").check(
      // Counted as characters, not as UTF-16 units; spread only when it can matter.
      z.refine(
        (text) => text.length <= maxCommentCharacters || [...text].length <= maxCommentCharacters,
        { error: "comment must be at most 2,000 characters long", abort: true },
      ),
      z.refine(isStorableText, "comment must not contain NUL characters or unpaired surrogates"),
      z.meta({ maxLength: maxCommentCharacters }),
    ),
  ).check(z.describe("The reason, in the user's words. Without it, an earlier comment is removed")),
});
export type RateAnswerInput = z.infer<typeof RateAnswerInput>;

/**
 * The field `include`: names of what a reply shows only when it is asked for, comma separated. Parsed, it is a list of
 * these names.
 */
function includeField<const Name extends string>(names: readonly Name[], description: string) {
  const isName = (text: string): text is Name => (names as readonly string[]).includes(text);
  const error = `include must be ${names.join(", ")} or several of them, comma separated, each at most once`;
  const list = z.string(error).check(z.refine((text) => {
    const asked = text.split(",");
    return asked.every(isName) && new Set(asked).size === asked.length;
  }, error));
  return z.optional(z.pipe(list, z.transform((text) => text.split(",").filter(isName)))).check(z.describe(description));
}
