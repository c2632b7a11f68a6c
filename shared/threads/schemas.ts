import * as z from "zod/mini";
import { pageFields } from "../wire/paging.ts";
import { uuidPattern } from "../wire/uuid.ts";

/** Query of `GET /users/{userId}/threads`. The cursor tells threads of the same instant apart by their ids. */
export const ThreadQuery = z.object({
  coachId: z.optional(z.string("coachId must be a string")).check(z.describe("Only threads with this coach")),
  ...pageFields(new RegExp(uuidPattern.source.slice(1, -1))),
});

/** Query of `GET /threads/{threadId}/messages`. The cursor tells messages of the same instant apart by their sequence. */
export const MessageQuery = z.object(pageFields(/\d{1,15}/));
