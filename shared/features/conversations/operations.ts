import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";

export const listConversations = defineOperation({
  name: "listConversations",
  scope: "expert",
  failure: "Failed to fetch conversations",
  errors: () => [errors.coachNotFound(), errors.notTheExpert()],
  input: async () => (await import("./schemas.ts")).ListConversationsInput,
  output: async () => (await import("./replies.ts")).ConversationList,
  verb: async () => (await import("./list_conversations.ts")).listConversations,
});

export const getUsage = defineOperation({
  name: "getUsage",
  scope: "expert",
  failure: "Failed to fetch the usage",
  errors: () => [errors.coachNotFound(), errors.notTheExpert()],
  input: async () => (await import("./schemas.ts")).GetUsageInput,
  output: async () => (await import("./replies.ts")).CoachUsage,
  verb: async () => (await import("./get_usage.ts")).getUsage,
});
