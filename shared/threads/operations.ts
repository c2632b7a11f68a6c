import { errors } from "../errors.ts";
import { defineOperation } from "../operation.ts";

export const listThreads = defineOperation({
  name: "listThreads",
  scope: "threads:read",
  failure: "Failed to fetch threads",
  errors: () => [errors.userMismatch()],
  input: async () => (await import("./schemas.ts")).ListThreadsInput,
  output: async () => (await import("./replies.ts")).ThreadList,
  verb: async () => (await import("./list_threads.ts")).listThreads,
});

export const listMessages = defineOperation({
  name: "listMessages",
  scope: "threads:read",
  failure: "Failed to fetch messages",
  errors: () => [errors.threadNotFound()],
  input: async () => (await import("./schemas.ts")).ListMessagesInput,
  output: async () => (await import("./replies.ts")).MessageList,
  verb: async () => (await import("./list_messages.ts")).listMessages,
});
