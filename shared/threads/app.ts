import { createApp } from "../http/app.ts";
import type { Services } from "../services.ts";

/** The function `threads`: what is inside a conversation. */
export function createThreadsApp(services: Services) {
  const listMessages = {
    method: "GET",
    scope: "threads:read",
    failure: "Failed to fetch messages",
    load: async () => (await import("./handlers.ts")).getThreadMessages,
  } as const;
  return createApp("threads", services, [
    // An empty segment still reaches the handler, which has the words for it; so does none at all.
    { ...listMessages, path: "/threads/:threadId{[^/]*}/messages" },
    { ...listMessages, path: "/threads/messages" },
  ]);
}
