import type { Services } from "../core/context.ts";
import { knowledgeRoutes } from "../features/knowledge/app.ts";
import { maxBodyBytes } from "../features/knowledge/limits.ts";
import { createOriginalEndpoints, readingRoutes } from "../features/reading/app.ts";
import { createOperationsApp } from "../http/operations_app.ts";
import type { AnyRoute } from "../http/route.ts";

/** All addresses of the function `knowledge-handler`, except for signed ones. */
export const knowledgeAppRoutes: AnyRoute[] = [...knowledgeRoutes, ...readingRoutes];

/** The function `knowledge-handler`: the files of a coach, and reading them again. */
export function createKnowledgeApp(services: Services) {
  const open = createOriginalEndpoints(services);
  return createOperationsApp("knowledge-handler", services, knowledgeAppRoutes, { maxBodyBytes, open });
}
