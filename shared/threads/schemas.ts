import * as z from "zod/mini";
import { requiredId } from "../wire/fields.ts";
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

/** Input of `listMessages`. The cursor tells messages of the same instant apart by their sequence. */
export const ListMessagesInput = z.object({
  threadId: requiredId("threadId", "The thread to read: `thread_id` of an answer, or `id` in a list of threads"),
  ...pageFields(/\d{1,15}/),
});
export type ListMessagesInput = z.infer<typeof ListMessagesInput>;
