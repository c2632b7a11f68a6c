import { coachesAppRoutes } from "./apps/coaches_app.ts";
import { threadsAppRoutes } from "./apps/threads_app.ts";
import { chatRoutes } from "./chat/app.ts";
import type { AnyRoute } from "./http/route.ts";
import { knowledgeRoutes } from "./knowledge/app.ts";
import { usersRoutes } from "./threads/app.ts";

/** Every operation of the service at its address. */
export const routes: AnyRoute[] = [
  ...chatRoutes,
  ...coachesAppRoutes,
  ...usersRoutes,
  ...threadsAppRoutes,
  ...knowledgeRoutes,
];
