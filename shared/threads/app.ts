import { createApp, type Endpoint } from "../http/app.ts";
import { authenticate } from "../http/authenticate.ts";
import type { Services } from "../services.ts";

const listMessages: Endpoint = {
  method: "GET",
  // An empty segment still reaches the handler, which has the words for it.
  path: "/threads/:threadId{[^/]*}/messages",
  scope: "threads:read",
  failure: "Failed to fetch messages",
  load: async () => (await import("./handlers.ts")).getThreadMessages,
};

export const threadsEndpoints: Endpoint[] = [
  listMessages,
  // So does no segment at all.
  { ...listMessages, path: "/threads/messages", isStray: true },
];

/** The function `threads`: what is inside a conversation. */
export function createThreadsApp(services: Services) {
  return createApp("threads", services, threadsEndpoints, { admit: authenticate(services) });
}
