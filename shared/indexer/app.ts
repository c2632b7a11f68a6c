import { createApp, loadHandler } from "../http/app.ts";
import type { Handler } from "../http/app_env.ts";
import { requireSecretKey } from "../http/require_secret_key.ts";
import type { CoreServices } from "../core_services.ts";

/** The function `indexer`: makes uploaded files searchable. Called by the project itself, never by clients. */
export function createIndexerApp(services: CoreServices) {
  // One for all requests: it counts the work of the isolate.
  let postSweep: Promise<Handler> | undefined;

  async function loadPostSweep(): Promise<Handler> {
    const startedAt = performance.now();
    const [{ createPostSweep }, models] = await Promise.all([import("./handlers.ts"), services.loadModels()]);
    return createPostSweep({ ...services, ...models }, { spent: services.loadingTime + performance.now() - startedAt });
  }

  const handle = loadHandler("Failed to index files", () => postSweep ??= loadPostSweep());
  return createApp("indexer", services, [{ method: "POST", path: "/indexer", handle }], {
    admit: requireSecretKey(services.secretKeys),
  });
}
