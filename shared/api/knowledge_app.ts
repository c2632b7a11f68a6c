import type { Services } from "../core/context.ts";
import { maxBodyBytes } from "../features/knowledge/limits.ts";
import { addresses } from "./endpoints/knowledge_handler.gen.ts";
import { createOperationsApp } from "../http/operations_app.ts";
import { loadHandler } from "../http/app.ts";

/** The function `knowledge-handler`: the files of a coach, reading them again, and the web addresses that it knows. */
export function createKnowledgeApp(services: Services) {
  const handle = loadHandler(
    "Failed to read file",
    async () => (await import("../features/reading/serve_original.ts")).createOriginalHandler(services),
  );
  return createOperationsApp("knowledge-handler", services, addresses, {
    maxBodyBytes,
    // The signed addresses that `getOriginal` makes.
    open: [{ method: "GET", path: "/knowledge-handler/originals/:token", handle }],
  });
}
