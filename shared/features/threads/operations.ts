import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";

export const listThreads = defineOperation({
  name: "listThreads",
  scope: "threads:read",
  failure: "Failed to fetch threads",
  errors: () => [errors.userMismatch()],
  input: async () => (await import("./schemas.ts")).ListThreadsInput,
  output: async () => (await import("./replies.ts")).ThreadList,
  verb: async () => (await import("./list_threads.ts")).listThreads,
});

export const eraseUser = defineOperation({
  name: "eraseUser",
  scope: "threads:write",
  failure: "Failed to delete the user",
  // The second time there is nothing left to delete.
  isRepeatable: true,
  errors: () => [errors.userMismatch(), errors.lastOwner()],
  input: async () => (await import("./schemas.ts")).EraseUserInput,
  output: async () => (await import("./replies.ts")).ErasedUser,
  verb: async () => (await import("./erase_user.ts")).eraseUser,
});

export const getThread = defineOperation({
  name: "getThread",
  scope: "threads:read",
  failure: "Failed to fetch the thread",
  errors: () => [errors.threadNotFound()],
  input: async () => (await import("./schemas.ts")).GetThreadInput,
  output: async () => (await import("./replies.ts")).ThreadWithState,
  verb: async () => (await import("./get_thread.ts")).getThread,
});

export const updateThread = defineOperation({
  name: "updateThread",
  scope: "threads:write",
  failure: "Failed to update the thread",
  // The same change twice leaves the same thread.
  isRepeatable: true,
  errors: () => [errors.threadNotFound()],
  input: async () => (await import("./schemas.ts")).UpdateThreadInput,
  output: async () => (await import("./replies.ts")).ThreadWithState,
  verb: async () => (await import("./update_thread.ts")).updateThread,
});

export const markThreadRead = defineOperation({
  name: "markThreadRead",
  scope: "threads:write",
  failure: "Failed to mark the thread as read",
  isRepeatable: true,
  errors: () => [errors.threadNotFound()],
  input: async () => (await import("./schemas.ts")).MarkThreadReadInput,
  output: async () => (await import("./replies.ts")).ThreadWithState,
  verb: async () => (await import("./mark_thread_read.ts")).markThreadRead,
});

export const deleteThread = defineOperation({
  name: "deleteThread",
  scope: "threads:write",
  failure: "Failed to delete the thread",
  errors: () => [errors.threadNotFound()],
  input: async () => (await import("./schemas.ts")).DeleteThreadInput,
  output: async () => (await import("./replies.ts")).DeletedThread,
  verb: async () => (await import("./delete_thread.ts")).deleteThread,
});

export const listMessages = defineOperation({
  name: "listMessages",
  scope: "threads:read",
  failure: "Failed to fetch messages",
  errors: () => [errors.threadNotFound(), errors.missingScope("expert"), errors.notTheExpert()],
  input: async () => (await import("./schemas.ts")).ListMessagesInput,
  output: async () => (await import("./replies.ts")).MessageList,
  verb: async () => (await import("./list_messages.ts")).listMessages,
});

export const rateAnswer = defineOperation({
  name: "rateAnswer",
  scope: "threads:write",
  failure: "Failed to store the feedback",
  isRepeatable: true,
  errors: () => [errors.threadNotFound(), errors.messageNotFound(), errors.answerUnfinished()],
  input: async () => (await import("./schemas.ts")).RateAnswerInput,
  output: async () => (await import("./replies.ts")).RatedAnswer,
  verb: async () => (await import("./rate_answer.ts")).rateAnswer,
});
