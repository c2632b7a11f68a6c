import { budgetRoutes } from "../features/budgets/app.ts";
import type { Services } from "../core/context.ts";
import { createOperationsApp } from "../http/operations_app.ts";
import type { AnyRoute } from "../http/route.ts";
import { userMailRoutes } from "../features/mail/app.ts";
import { ownCoachesRoutes } from "../features/experts/app.ts";
import { usersRoutes } from "../features/threads/app.ts";

/** All addresses of the function `users`. */
export const usersAppRoutes: AnyRoute[] = [
  ...usersRoutes,
  ...budgetRoutes,
  ...userMailRoutes,
  ...ownCoachesRoutes,
];

/**
 * The function `users`: the threads of a user, the erasure of all of them, what the user may still use, the coaches whose
 * expert the user is, and the user's mails.
 */
export function createUsersApp(services: Services) {
  return createOperationsApp("users", services, usersAppRoutes);
}
