import type { Services } from "../core/context.ts";
import { knowledgeRoutes } from "../features/knowledge/app.ts";
import { maxBodyBytes } from "../features/knowledge/limits.ts";
import { createOriginalEndpoints, readingRoutes } from "../features/reading/app.ts";
import { sourcesRoutes } from "../features/sources/app.ts";
import { createOperationsApp } from "../http/operations_app.ts";
import type { Address } from "../http/endpoint.ts";

/** All addresses of the function `knowledge-handler`, except for signed ones. Sources come first: `sources` is no ID of a file. */
export const knowledgeAppRoutes: Address[] = [
  ...sourcesRoutes,
  ...knowledgeRoutes,
  ...readingRoutes,
];

/** The function `knowledge-handler`: the files of a coach, reading them again, and the web addresses that it knows. */
export function createKnowledgeApp(services: Services) {
  const open = createOriginalEndpoints(services);
  return createOperationsApp("knowledge-handler", services, knowledgeAppRoutes, { maxBodyBytes, open });
}
