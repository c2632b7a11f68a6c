import { defineRoute } from "../../http/route.ts";
import { getBudget } from "./operations.ts";

/** The addresses of the function `users` that tell what a user may still use. */
export const budgetRoutes = [
  defineRoute({
    operation: getBudget,
    method: "GET",
    path: "/users/:userId{[^/]*}/budget",
    pathWithoutParameter: "/users/budget",
  }),
];
