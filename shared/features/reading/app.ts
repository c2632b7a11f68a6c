import { defineRoute } from "../../http/route.ts";
import { loadHandler, type Route } from "../../http/app.ts";
import type { CoreServices } from "../../core/core_services.ts";
import { getFile, getOriginal, getPassage } from "./operations.ts";

export const readingRoutes = [
  defineRoute({ operation: getFile, method: "GET", path: "/knowledge-handler/:fileId" }),
  defineRoute({ operation: getOriginal, method: "GET", path: "/knowledge-handler/:fileId/content" }),
  defineRoute({ operation: getPassage, method: "GET", path: "/knowledge-handler/:fileId/passages/:passageId" }),
];

/** The signed addresses that `getOriginal` makes. */
export function createOriginalEndpoints(
  services: Pick<CoreServices, "database" | "files" | "secretKeys">,
): Route[] {
  const handle = loadHandler(
    "Failed to read file",
    async () => (await import("./serve_original.ts")).createOriginalHandler(services),
  );
  return [{ method: "GET", path: "/knowledge-handler/originals/:token", handle }];
}
