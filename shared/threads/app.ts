import { createOperationsApp } from "../http/operations_app.ts";
import { defineRoute } from "../http/route.ts";
import type { Services } from "../context.ts";
import { listMessages, listThreads } from "./operations.ts";

export const usersRoutes = [
  defineRoute({
    operation: listThreads,
    method: "GET",
    // An empty parameter is not a 404: the interface has a 400 for it.
    path: "/users/:userId{[^/]*}/threads",
    pathWithoutParameter: "/users/threads",
  }),
];

export const threadsRoutes = [
  defineRoute({
    operation: listMessages,
    method: "GET",
    path: "/threads/:threadId{[^/]*}/messages",
    pathWithoutParameter: "/threads/messages",
  }),
];

/** The function `users`: the threads of a user. */
export function createUsersApp(services: Services) {
  return createOperationsApp("users", services, usersRoutes);
}

/** The function `threads`: what was said in a thread. */
export function createThreadsApp(services: Services) {
  return createOperationsApp("threads", services, threadsRoutes);
}
