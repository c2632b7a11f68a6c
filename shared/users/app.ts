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

export const usersEndpoints: Endpoint[] = [
  listThreads,
  // So does no segment at all.
  { ...listThreads, path: "/users/threads", isStray: true },
];

/** The function `users`: lists of a user's own things. */
export function createUsersApp(services: Services) {
  return createApp("users", services, usersEndpoints, { admit: authenticate(services) });
}
