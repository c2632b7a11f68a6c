import type { Services } from "../core/context.ts";
import { threadEventsRoutes } from "../features/events/app.ts";
import { createOperationsApp } from "../http/operations_app.ts";
import type { Address } from "../http/endpoint.ts";
import { requestRoutes } from "../features/requests/app.ts";
import { takeoverRoutes } from "../features/takeover/app.ts";
import { threadsRoutes } from "../features/threads/app.ts";

/** All addresses of the function `threads`. */
export const threadsAppRoutes: Address[] = [
  ...threadsRoutes,
  ...takeoverRoutes,
  ...requestRoutes,
  ...threadEventsRoutes,
];

/** The function `threads`: a thread and its messages, and what the expert behind its coach does in it. */
export function createThreadsApp(services: Services) {
  return createOperationsApp("threads", services, threadsAppRoutes);
}
