import { coachesAppRoutes } from "./coaches_app.ts";
import { threadsAppRoutes } from "./threads_app.ts";
import { usersAppRoutes } from "./users_app.ts";
import { chatRoutes } from "../features/chat/app.ts";
import type { Address } from "../http/endpoint.ts";

/** Every operation of the service at its address. */
export const routes: Address[] = [
  ...chatRoutes,
  ...coachesAppRoutes,
  ...usersAppRoutes,
  ...threadsAppRoutes,
];
