import type { ClientHeaders } from "./ask.ts";

// Apart from their schemas: a refusal must not load them.

/** The headers with these fields. */
export const headerNames: Record<keyof ClientHeaders, string> = {
  threadId: "X-Thread-Id",
  chatId: "X-Chat-Id",
  openWebuiChatId: "X-OpenWebUI-Chat-Id",
  conversationId: "X-Conversation-Id",
  openWebuiUserId: "X-OpenWebUI-User-Id",
  task: "X-OpenWebUI-Task",
  retryCount: "X-Stainless-Retry-Count",
  idempotencyKey: "Idempotency-Key",
};
