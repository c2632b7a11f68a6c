import * as z from "zod/mini";
import { Count, NextCursor, Timestamp, Uuid } from "../wire_fields.ts";

/** What a user or a coach said. */
export const Message = z.object({
  id: z.string(),
  thread_id: Uuid,
  content: z.string(),
  role: z.enum(["user", "assistant"]),
  response_id: z.nullable(z.string()).check(
    z.describe("The model backend's id of the answer; null for a user's message"),
  ),
  created_at: Timestamp,
});

/** Reply of `GET /threads/{threadId}/messages`. */
export const MessageList = z.object({
  data: z.array(Message).check(z.describe("Oldest first")),
  count: Count.check(z.describe("The number of messages of the whole thread")),
  next_cursor: NextCursor,
});
