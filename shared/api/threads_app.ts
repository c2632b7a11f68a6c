import type { Services } from "../core/context.ts";
import { createOperationsApp } from "../http/operations_app.ts";
import type { Address } from "../http/endpoint.ts";
import { addresses } from "./endpoints/threads.gen.ts";

/** All addresses of the function `threads`. */
export const threadsAppRoutes: Address[] = [
  ...addresses,
];

/** The function `threads`: a thread and its messages, and what the expert behind its coach does in it. */
export function createThreadsApp(services: Services) {
  return createOperationsApp("threads", services, threadsAppRoutes);
}
