import { chatRoutes } from "./chat/app.ts";
import { coachesRoutes } from "./coaches/app.ts";
import type { AnyRoute } from "./http/route.ts";
import { knowledgeRoutes } from "./knowledge/app.ts";
import { threadsRoutes, usersRoutes } from "./threads/app.ts";

/** Every operation of the service at its address. */
export const routes: AnyRoute[] = [
  ...chatRoutes,
  ...coachesRoutes,
  ...usersRoutes,
  ...threadsRoutes,
  ...knowledgeRoutes,
];
