// Written by `npm run client`; not to be edited.
import type { Address } from "../../http/endpoint.ts";

export const addresses: Address[] = [
  {
    method: "GET",
    path: "/users/:userId/budget",
    pathWithoutParameter: "/users/budget",
    load: () => import("../../features/budgets/get_budget.ts"),
  },
  {
    method: "GET",
    path: "/users/:userId/coaches",
    pathWithoutParameter: "/users/coaches",
    load: () => import("../../features/experts/list_own_coaches.ts"),
  },
  {
    method: "GET",
    path: "/users/:userId/mail",
    pathWithoutParameter: "/users/mail",
    load: () => import("../../features/mail/get_user_mail.ts"),
  },
  {
    method: "PUT",
    path: "/users/:userId/mail",
    pathWithoutParameter: "/users/mail",
    load: () => import("../../features/mail/save_user_mail.ts"),
  },
  {
    method: "DELETE",
    path: "/users/:userId/mail",
    pathWithoutParameter: "/users/mail",
    load: () => import("../../features/mail/delete_user_mail.ts"),
  },
  {
    method: "GET",
    path: "/users/:userId/threads",
    pathWithoutParameter: "/users/threads",
    load: () => import("../../features/threads/list_threads.ts"),
  },
  {
    method: "DELETE",
    path: "/users/:userId",
    pathWithoutParameter: "/users",
    load: () => import("../../features/threads/erase_user.ts"),
  },
];
