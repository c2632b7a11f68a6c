import { createApp, loadHandler } from "../../http/app.ts";
import { requireSecretKey } from "../../http/require_secret_key.ts";
import type { CoreServices } from "../../core/core_services.ts";
import { lazy } from "../../libs/base/lazy.ts";

/** The function `fetcher`: reads the web addresses of coaches. The project itself calls it, never clients. */
export function createFetcherApp(services: CoreServices) {
  // Shared by all requests, because it measures the work of the isolate.
  const loadPostSweep = lazy(async () => {
    const startedAt = performance.now();
    const { createPostSweep } = await import("./sweep.ts");
    return createPostSweep(services, { spent: services.loadingTime + performance.now() - startedAt });
  });
  const handle = loadHandler("Failed to fetch sources", loadPostSweep);
  return createApp("fetcher", services, [{ method: "POST", path: "/fetcher", handle }], {
    admit: requireSecretKey(services.secretKeys),
  });
}
