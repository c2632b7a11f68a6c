import { createApp } from "../http/app.ts";
import { requireSecretKey } from "../http/require_secret_key.ts";
import type { Services } from "../services.ts";

/** The function `indexer`: makes uploaded files searchable. Called by the project itself, never by clients. */
export function createIndexerApp(services: Services) {
  return createApp("indexer", services, [
    {
      method: "POST",
      path: "/indexer",
      failure: "Failed to index files",
      load: async () => (await import("./handlers.ts")).createPostSweep(services),
    },
  ], { admit: requireSecretKey(services.secretKeys) });
}
