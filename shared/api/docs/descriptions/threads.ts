import type { Descriptions } from "../description.ts";
import { exampleAnswer, exampleQuestion, exampleThread, exampleThreadWithState } from "../examples.ts";

export const threadDescriptions: Descriptions = {
  listThreads: {
    summary: "List a user's threads",
    description:
      "All threads of a user: most recently updated first, or with `search` the best match first. With `limit` " +
      "or `cursor`, one page of them.",
    reply: { description: "The threads; the list may be empty", example: { data: [exampleThread], count: 1 } },
  },
  eraseUser: {
    summary: "Delete the signed-in user",
    description:
      "Deletes everything that is stored about the signed-in user in the account of the key: all threads with " +
      "all coaches, their messages (also at the language model's server), ratings, and the user's part in open " +
      "questions. Answers that are being written are canceled. An access token is required, and `userId` must be " +
      "its user, or `me`. The request may be repeated: its reply is the same.\n\nThe sign-in itself is not " +
      "deleted. The requests that the user has made are still counted, under a hash, until their limits reset.",
    reply: {
      description: "Nothing is stored about the user any more",
      example: { message: "User deleted successfully", userId: exampleThread.user_id },
    },
  },
  getBudget: {
    summary: "Get what a user may still use",
    description:
      "The budgets that limit what a user may have the language models do: of the account, of the API key and of " +
      "coaches, and the user's own share where each user has an amount. When a budget is used up, requests that would " +
      "ask a model get a 429 with the code `budget_exhausted`; pinned answers are given all the same.\n\nWith an " +
      "access token, the figures of budgets that are shared with other people are left out, and so are budgets that " +
      "only warn the operator.",
    reply: {
      description: "The budgets; the list may be empty",
      example: {
        data: [
          { scope: "account", is_exhausted: false, resets_at: "2026-12-01T00:00:00.000Z" },
          {
            scope: "coach",
            limit: 20000,
            used: 17210,
            reserved: 0,
            unit: "tokens",
            resets_at: "2026-11-21T00:00:00.000Z",
            is_exhausted: false,
          },
        ],
      },
    },
  },
  getThread: {
    summary: "Get a thread",
    description:
      "A thread as it appears in lists, with its state: whether it is pinned or archived, and whether an answer " +
      "is being written. With an access token, for the thread's own user and for the expert behind its coach.",
    reply: { description: "The thread", example: exampleThreadWithState },
  },
  updateThread: {
    summary: "Rename, pin or archive a thread",
    description: "Changes the fields that are sent, at least one. The thread keeps its place in the list.",
    bodyExamples: { rename: { value: { title: "The new team" } }, archive: { value: { is_archived: true } } },
    reply: { description: "The changed thread", example: { ...exampleThreadWithState, title: "The new team" } },
  },
  markThreadRead: {
    summary: "Mark a thread as read",
    description:
      "Sets `unread` to 0. May be repeated. With an access token, for the thread's own user; a key alone acts for " +
      "the user of the thread.\n\n`unread` counts the messages of the expert (also those that the user saw as " +
      "they came, until this is called) and each answer whose last text was stored when the connection of its " +
      "reply was gone. An answer no longer counts once its end was received through `followAnswer`, or through a " +
      "repetition of its question, or when it is run again. Failed and stopped answers never count.",
    reply: { description: "The thread, with nothing unread", example: exampleThreadWithState },
  },
  deleteThread: {
    summary: "Delete a thread",
    description:
      "Deletes a thread and all its messages, also at the language model's server. An answer that is being " +
      "written in it is canceled.",
    reply: {
      description: "The thread was deleted",
      example: { message: "Thread deleted successfully", threadId: exampleThread.id },
    },
  },
  listMessages: {
    summary: "Get the messages of a thread",
    description:
      "All messages of a thread, oldest first. With `limit` or `cursor`, one page of them; with `order=desc`, " +
      "newest first. Answers without text are left out.\n\nWith `include=status`, every answer is listed, " +
      "including one that is still being written, with its text so far, and one that failed before it had any " +
      "text. A page that is reloaded in the middle of an answer finds its ID there and continues with " +
      "`followAnswer`.\n\nWith an access token, for the thread's own user and for the expert behind its coach. " +
      "`include=basis` shows what each answer was based on. It is for the expert only: the coach's own user, or " +
      "a key with the scope `expert` that acts alone.",
    reply: {
      description: "The messages of the user and the coach",
      example: { data: [exampleQuestion, exampleAnswer], count: 2 },
    },
  },
  rateAnswer: {
    summary: "Rate an answer",
    description:
      "Stores what the thread's user thinks of an answer and replaces any earlier rating; `rating: null` removes " +
      "it. With a user's token, only that user's answers can be rated; a key alone acts for the user of the " +
      "thread. A rating belongs to the text that was rated: when the answer is run again, the rating is deleted.",
    bodyExamples: {
      up: { summary: "It helped", value: { rating: "up" } },
      down: {
        summary: "A bad answer, with the reason",
        value: { rating: "down", comment: "Too general for my team." },
      },
      none: { summary: "Remove the rating", value: { rating: null } },
    },
    reply: {
      description: "The feedback as it is stored now",
      example: { messageId: exampleAnswer.id, rating: "down", comment: "Too general for my team." },
    },
  },
};
