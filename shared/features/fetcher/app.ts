import { createApp, loadHandler } from "../../http/app.ts";
import type { Handler } from "../../http/app_env.ts";
import { requireSecretKey } from "../../http/require_secret_key.ts";
import type { CoreServices } from "../../core/core_services.ts";

/**
 * The function `fetcher`: reads the web addresses that coaches know. It is called by the project itself, never by
 * clients.
 */
export function createFetcherApp(services: CoreServices) {
  // Shared by all requests, because it measures the work of the isolate.
  let postSweep: Promise<Handler> | undefined;

  async function loadPostSweep(): Promise<Handler> {
    const startedAt = performance.now();
    const { createPostSweep } = await import("./handlers.ts");
    return createPostSweep(services, { spent: services.loadingTime + performance.now() - startedAt });
  }

  const handle = loadHandler("Failed to fetch sources", () => postSweep ??= loadPostSweep());
  return createApp("fetcher", services, [{ method: "POST", path: "/fetcher", handle }], {
    admit: requireSecretKey(services.secretKeys),
  });
}
