import type { Descriptions } from "../description.ts";
import { exampleAnswer, exampleQuestion, exampleThread, exampleThreadWithState } from "../examples.ts";

const tags = ["Threads"];

export const threadDescriptions: Descriptions = {
  listThreads: {
    summary: "List a user's threads",
    description: "All threads of a user, the most recently updated first; `limit` or `cursor` ask for a page instead.",
    tags,
    reply: { description: "The threads; none is an empty list", example: { data: [exampleThread], count: 1 } },
  },
  getThread: {
    summary: "Get a thread",
    description: "A thread, as lists show it, with its state: whether an answer is being written, and how it is kept.",
    tags,
    reply: { description: "The thread", example: exampleThreadWithState },
  },
  updateThread: {
    summary: "Rename, pin or archive a thread",
    description: "Changes the fields that are sent, at least one. The thread stays where it is in the list.",
    tags,
    bodyExamples: { rename: { value: { title: "The new team" } }, archive: { value: { is_archived: true } } },
    reply: { description: "The thread as it is now", example: { ...exampleThreadWithState, title: "The new team" } },
  },
  deleteThread: {
    summary: "Delete a thread",
    description:
      "Deletes a thread with all that was said in it, also at the language model's server. An answer that is " +
      "being written there ends.",
    tags,
    reply: {
      description: "The thread is gone",
      example: { message: "Thread deleted successfully", threadId: exampleThread.id },
    },
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
