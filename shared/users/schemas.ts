import * as z from "zod/mini";
import { pageFields } from "../paging.ts";
import { uuidPattern } from "../uuid.ts";

/** Query of `GET /users/{userId}/threads`. Threads that were last changed together are told apart by their ids. */
export const ThreadQuery = z.object({
  coachId: z.optional(z.string("coachId must be a string")).check(z.describe("Only threads with this coach")),
  ...pageFields(new RegExp(uuidPattern.source.slice(1, -1))),
});
