import * as z from "zod/mini";
import { requiredId } from "../wire/fields.ts";
import { includeField } from "../wire/include.ts";
import { pageFields } from "../wire/paging.ts";
import { uuidPattern } from "../wire/uuid.ts";

/** Input of `listThreads`. The cursor tells threads of the same instant apart by their ids. */
export const ListThreadsInput = z.object({
  userId: requiredId("userId", "The user whose threads to list: any id that is not blank, as chats were sent with"),
  coachId: z.optional(z.string("coachId must be a string")).check(
    z.describe("Only threads with this coach; an empty one counts as left out"),
  ),
  ...pageFields(new RegExp(uuidPattern.source.slice(1, -1))),
});
export type ListThreadsInput = z.infer<typeof ListThreadsInput>;

/** What messages show only when it is asked for. */
const messageExtras = ["status", "sources", "feedback", "author"] as const;
export type MessageExtra = typeof messageExtras[number];

const orderError = "order must be asc or desc";

/** Input of `listMessages`. The cursor tells messages of the same instant apart by their sequence. */
export const ListMessagesInput = z.object({
  threadId: requiredId("threadId", "The thread to read: `thread_id` of an answer, or `id` in a list of threads"),
  order: z.optional(z.enum(["asc", "desc"], orderError)).check(
    z.describe("`asc`, as usual: oldest first; `desc`: newest first"),
  ),
  include: includeField(
    messageExtras,
    "What each message shows besides, comma separated: `status` (with the error of failed answers; then answers that " +
      "have no text, or none yet, are listed too), `sources`, `feedback`, `author`",
  ),
  ...pageFields(/\d{1,15}/),
});
export type ListMessagesInput = z.infer<typeof ListMessagesInput>;
