import { coachesAppRoutes } from "./coaches_app.ts";
import { threadsAppRoutes } from "./threads_app.ts";
import { chatRoutes } from "../features/chat/app.ts";
import type { AnyRoute } from "../http/route.ts";
import { knowledgeRoutes } from "../features/knowledge/app.ts";
import { usersRoutes } from "../features/threads/app.ts";

/** Every operation of the service at its address. */
export const routes: AnyRoute[] = [
  ...chatRoutes,
  ...coachesAppRoutes,
  ...usersRoutes,
  ...threadsAppRoutes,
  ...knowledgeRoutes,
];
