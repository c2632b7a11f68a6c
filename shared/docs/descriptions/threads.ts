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
    description: "All messages of a thread, the oldest first; `limit` or `cursor` ask for a page instead.",
    tags,
    reply: {
      description: "The messages of user and coach",
      example: { data: [exampleQuestion, exampleAnswer], count: 2 },
    },
  },
};
