import * as z from "zod/mini";
import { isStorableText } from "../../libs/base/text.ts";
import { errors } from "../../infra/errors.ts";
import { requireNamedUser } from "../../core/wire/ids.ts";
import { Count, NextCursor, requiredId } from "../../core/wire/fields.ts";
import { pageColumns, pageFields, readSearchedPage } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { Coach } from "../coaches/fields.ts";
import { cursorFitsSearch, includeField, isSearch, search, searchedKey, Thread } from "./fields.ts";

export const ThreadList = z.object({
  data: z.array(Thread).check(z.describe("Most recently updated first; best match first with a search")),
  count: Count.check(z.describe("The number of threads in `data`")),
  next_cursor: NextCursor,
  coaches: z.optional(z.array(Coach)).check(z.describe("With `include=coaches` or `coach`: by name")),
  unread_by_coach: z.optional(z.record(z.string(), Count)).check(
    z.describe("With them: of how many of the user's hundred newest threads with each coach something is unread"),
  ),
});

/** The threads of a user, newest first; with a search, the best match first. A signed-in user may say `me`. */
export const operation = defineEndpoint({
  name: "listThreads",
  method: "GET",
  path: "/users/:userId/threads",
  pathWithoutParameter: "/users/threads",
  scope: "threads:read",
  failure: "Failed to fetch threads",
  errors: () => [errors.userMismatch()],
  // The cursor contains the ID, because threads may have the same time.
  input: z.object({
    userId: requiredId(
      "userId",
      "The user whose threads to list: any ID that is not blank, as sent with chats; `me` with an access token",
    ),
    coachId: z.optional(z.string("coachId must be a string")).check(
      z.describe("Only threads with this coach; an empty value is ignored"),
    ),
    search,
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
  }).check(cursorFitsSearch),
  output: ThreadList,
  async verb(
    { database, userId: signedIn, services: { picturesUrl } },
    { userId: asked, coachId, search, archived, standalone, include = [], ...page },
  ) {
    const userId = requireNamedUser(asked, signedIn);
    // No user has an ID that Postgres cannot store. The empty ID has no threads either, and its reply has the same form.
    const isAskable = isStorableText(userId) && isStorableText(coachId ?? "");
    const user_id = isAskable ? userId : "";
    const filter = {
      coach_id: isAskable && coachId ? coachId : null,
      is_archived: archived === undefined ? null : archived === "true",
      // Turns that stand alone are in no other list.
      is_standalone: standalone === "true",
      has_state: include.includes("state"),
    };
    if (isSearch(search)) {
      const { pageSize, afterScore, afterAt, afterKey } = readSearchedPage(page);
      return await database.callForBytes("search_threads", {
        user_id,
        filter: {
          ...filter,
          search,
          page_size: pageSize,
          after_score: afterScore,
          after_at: afterAt,
          after_id: afterKey,
        },
      });
    }
    return await database.callForBytes("list_threads", {
      user_id,
      ...filter,
      ...pageColumns(page),
      company: include.includes("coaches") ? "all" : include.includes("coach") ? "one" : null,
      pictures_url: picturesUrl,
    });
  },
});
