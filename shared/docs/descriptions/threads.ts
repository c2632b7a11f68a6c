import type { Descriptions } from "../description.ts";
import { exampleAnswer, exampleQuestion, exampleThread } from "../examples.ts";

const tags = ["Threads"];

export const threadDescriptions: Descriptions = {
  listThreads: {
    summary: "List a user's threads",
    description: "All threads of a user, the most recently updated first; `limit` or `cursor` ask for a page instead.",
    tags,
    reply: { description: "The threads; none is an empty list", example: { data: [exampleThread], count: 1 } },
  },
  listMessages: {
    summary: "Get the messages of a thread",
    description:
      "All messages of a thread, the oldest first; `limit` or `cursor` ask for a page instead, `order=desc` for the " +
      "newest first. Answers without text are left out.\n\n" +
      "With `include=status` every answer is listed, also one that is being written, with its text so far, and one that " +
      "failed before it had any. So a page that is reloaded in the middle of an answer finds its id, and goes on with " +
      "`followAnswer`.",
    tags,
    reply: {
      description: "The messages of user and coach",
      example: { data: [exampleQuestion, exampleAnswer], count: 2 },
    },
  },
};
