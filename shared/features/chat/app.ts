import { createOperationsApp } from "../../http/operations_app.ts";
import { defineRoute } from "../../http/route.ts";
import type { Services } from "../../core/context.ts";
import { chat, followAnswer, retryAnswer, stopAnswer, tryQuestion } from "./operations.ts";

export const chatRoutes = [
  defineRoute({
    operation: chat,
    method: "POST",
    path: "/chat",
    headers: { idempotencyKey: "Idempotency-Key" },
    body: "application/json",
    reply: async () => (await import("./reply_with_answer.ts")).replyWithNewAnswer,
  }),
  defineRoute({ operation: stopAnswer, method: "POST", path: "/chat/:messageId/stop" }),
  defineRoute({
    operation: retryAnswer,
    method: "POST",
    path: "/chat/:messageId/retry",
    reply: async () => (await import("./reply_with_answer.ts")).replyWithNewAnswer,
  }),
  defineRoute({
    operation: followAnswer,
    method: "GET",
    path: "/chat/:messageId/stream",
    headers: { lastEventId: "Last-Event-ID" },
    readFields: async () => (await import("./reply_with_answer.ts")).readLastEventId,
    reply: async () => (await import("./reply_with_answer.ts")).replyWithResumedAnswer,
  }),
];

/** The routes of this feature in the function `coaches`. */
export const tryRoutes = [
  defineRoute({
    operation: tryQuestion,
    method: "POST",
    path: "/coaches/:coachId{[^/]*}/try",
    body: "application/json",
  }),
];

/** The function `chat`: conversations with a coach. */
export function createChatApp(services: Services) {
  return createOperationsApp("chat", services, chatRoutes);
}
