import type { Descriptions } from "../description.ts";
import { exampleAnswer, exampleQuestion, exampleThread, exampleThreadWithState } from "../examples.ts";

const tags = ["Threads"];

export const threadDescriptions: Descriptions = {
  listThreads: {
    summary: "List a user's threads",
    description:
      "All threads of a user, the most recently updated first, or with `search` the best match first; `limit` or " +
      "`cursor` ask for a page instead.",
    tags,
    reply: { description: "The threads; none is an empty list", example: { data: [exampleThread], count: 1 } },
  },
  getThread: {
    summary: "Get a thread",
    description:
      "A thread, as lists show it, with its state: whether an answer is being written, and how it is kept. With an " +
      "access token, for the thread's own user and for the expert behind its coach.",
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
      "`followAnswer`.\n\n" +
      "With an access token, for the thread's own user and for the expert behind its coach. What answers were made with, " +
      "`include=basis`, is shown to the expert alone: the coach's own user, or a key with the scope `expert` that acts " +
      "alone.",
    tags,
    reply: {
      description: "The messages of user and coach",
      example: { data: [exampleQuestion, exampleAnswer], count: 2 },
    },
  },
  rateAnswer: {
    summary: "Rate an answer",
    description:
      "Stores what the thread's user thinks of an answer, in place of what was said before; `rating: null` takes it " +
      "back. With a user's token only that user's answers can be rated; a key alone speaks for the user of the thread. " +
      "A rating belongs to the text it was given for: it goes when the answer is written again.",
    tags,
    bodyExamples: {
      up: { summary: "It helped", value: { rating: "up" } },
      down: { summary: "It did not, and why", value: { rating: "down", comment: "Too general for my team." } },
      none: { summary: "Take it back", value: { rating: null } },
    },
    reply: {
      description: "The feedback as it is stored now",
      example: { messageId: exampleAnswer.id, rating: "down", comment: "Too general for my team." },
    },
  },
};
