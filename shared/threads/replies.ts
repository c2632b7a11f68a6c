import * as z from "zod/mini";
import { Message } from "../chat/replies.ts";
import { Count, NextCursor, Timestamp, Uuid } from "../wire/fields.ts";

/** A conversation of one user with one coach. */
export const Thread = z.object({
  id: Uuid,
  title: z.string().check(z.describe("The first message, shortened at a word to at most 80 characters")),
  created_at: Timestamp,
  updated_at: Timestamp,
  coach_id: z.string(),
  user_id: z.string().check(z.describe("`anonymous-` and a UUID where no user was named")),
  coach_profiles: z.object({
    name: z.string().check(z.describe("The coach's full name")),
    title: z.string().check(z.describe("The coach's professional title")),
  }),
});

/** Reply of `GET /users/{userId}/threads`. */
export const ThreadList = z.object({
  data: z.array(Thread).check(z.describe("Most recently updated first")),
  count: Count.check(z.describe("The number of threads in `data`")),
  next_cursor: NextCursor,
});

/** Reply of `GET /threads/{threadId}/messages`. */
export const MessageList = z.object({
  data: z.array(Message).check(z.describe("Oldest first")),
  count: Count.check(z.describe("The number of messages of the whole thread")),
  next_cursor: NextCursor,
});
