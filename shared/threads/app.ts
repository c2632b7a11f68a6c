import { createApp, type Endpoint } from "../http/app.ts";
import { authenticate } from "../http/authenticate.ts";
import type { Services } from "../services.ts";

const listThreads: Endpoint = {
  method: "GET",
  // An empty segment still reaches the handler, which has the words for it.
  path: "/users/:userId{[^/]*}/threads",
  scope: "threads:read",
  failure: "Failed to fetch threads",
  load: async () => (await import("./handlers.ts")).getUserThreads,
};

const listMessages: Endpoint = {
  method: "GET",
  path: "/threads/:threadId{[^/]*}/messages",
  scope: "threads:read",
  failure: "Failed to fetch messages",
  load: async () => (await import("./handlers.ts")).getThreadMessages,
};

// No segment at all is refused with the same words.
export const usersEndpoints: Endpoint[] = [listThreads, { ...listThreads, path: "/users/threads", isStray: true }];
export const threadsEndpoints: Endpoint[] = [
  listMessages,
  { ...listMessages, path: "/threads/messages", isStray: true },
];

/** The function `users`: the threads of a user. */
export function createUsersApp(services: Services) {
  return createApp("users", services, usersEndpoints, { admit: authenticate(services) });
}

/** The function `threads`: what was said in a thread. */
export function createThreadsApp(services: Services) {
  return createApp("threads", services, threadsEndpoints, { admit: authenticate(services) });
}
