import { createApp } from "../http/app.ts";
import type { Services } from "../services.ts";

/** The function `users`: lists of a user's own things. */
export function createUsersApp(services: Services) {
  const listThreads = {
    method: "GET",
    scope: "threads:read",
    failure: "Failed to fetch threads",
    load: async () => (await import("./handlers.ts")).getUserThreads,
  } as const;
  return createApp("users", services, [
    // An empty segment still reaches the handler, which has the words for it; so does none at all.
    { ...listThreads, path: "/users/:userId{[^/]*}/threads" },
    { ...listThreads, path: "/users/threads" },
  ]);
}
