import { coachesAppRoutes } from "./coaches_app.ts";
import { threadsAppRoutes } from "./threads_app.ts";
import { usersAppRoutes } from "./users_app.ts";
import { addresses as chatAddresses } from "./endpoints/chat.gen.ts";
import type { Address } from "../http/endpoint.ts";

/** Every operation of the service at its address. */
export const routes: Address[] = [
  ...chatAddresses,
  ...coachesAppRoutes,
  ...usersAppRoutes,
  ...threadsAppRoutes,
];
