import * as z from "zod/mini";
import { errors } from "../../errors.ts";
import { MessageList, ThreadList } from "../../threads/replies.ts";
import { MessageQuery, ThreadQuery } from "../../threads/schemas.ts";
import { Uuid } from "../../wire/fields.ts";
import { exampleAnswer, exampleQuestion, exampleThread } from "../examples.ts";
import type { Operations } from "../operation.ts";

const tags = ["Threads"];

const pageErrors = {
  limitOutOfRange: errors.invalidInput("limit must be a whole number from 1 to 100"),
  cursorMalformed: errors.invalidInput("cursor must be a next_cursor of this list"),
};

export const threadOperations: Operations = {
  "GET /users/:userId/threads": {
    operationId: "listThreads",
    summary: "List a user's threads",
    description: "All threads of a user, the most recently updated first; `limit` or `cursor` ask for a page instead.",
    tags,
    requestParams: {
      path: z.object({ userId: z.string().check(z.describe("Any id that is not blank, as chats were sent with")) }),
      query: ThreadQuery,
    },
    replies: {
      200: {
        description: "The threads; none is an empty list",
        content: { "application/json": { schema: ThreadList, example: { data: [exampleThread], count: 1 } } },
      },
    },
    errors: {
      userIdMissing: errors.invalidInput("userId is required in path"),
      ...pageErrors,
      userMismatch: errors.userMismatch(),
    },
  },
  "GET /threads/:threadId/messages": {
    operationId: "listMessages",
    summary: "Get the messages of a thread",
    description: "All messages of a thread, the oldest first; `limit` or `cursor` ask for a page instead.",
    tags,
    requestParams: { path: z.object({ threadId: Uuid }), query: MessageQuery },
    replies: {
      200: {
        description: "The messages of user and coach",
        content: {
          "application/json": {
            schema: MessageList,
            example: { data: [exampleQuestion, exampleAnswer], count: 2 },
          },
        },
      },
    },
    errors: {
      threadIdMissing: errors.invalidInput("threadId is required in path"),
      ...pageErrors,
      threadNotFound: errors.threadNotFound(),
    },
  },
};
