import type { Services } from "../core/context.ts";
import { createOperationsApp } from "../http/operations_app.ts";
import type { Address } from "../http/endpoint.ts";
import { addresses } from "./endpoints/users.gen.ts";

/** All addresses of the function `users`. */
export const usersAppRoutes: Address[] = [
  ...addresses,
];

/**
 * The function `users`: the threads of a user, the erasure of all of them, what the user may still use, the user's mails,
 * and the coaches whose expert the user is.
 */
export function createUsersApp(services: Services) {
  return createOperationsApp("users", services, usersAppRoutes);
}
