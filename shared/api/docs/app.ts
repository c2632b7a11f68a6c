import { lazy } from "../../libs/base/lazy.ts";
import type { CoreServices } from "../../core/core_services.ts";
import { createApp, loadHandler } from "../../http/app.ts";

/**
 * The function `docs`, which is public: the OpenAPI document, and whether the service works.
 *
 * @param loadServices called once, when somebody first asks whether it works
 */
export function createDocsApp(
  services: Pick<CoreServices, "createLog" | "tracing">,
  loadServices: () => Promise<Pick<CoreServices, "createLog" | "database" | "timeouts">>,
) {
  const getDocument = async () => (await import("./handlers.ts")).getDocument;
  // Shared by all requests, since they share what was found.
  const getHealth = lazy(async () => (await import("./get_health.ts")).createGetHealth(await loadServices()));
  const failure = "Failed to describe the service";
  return createApp("docs", services, [
    { method: "GET", path: "/docs/openapi.json", handle: loadHandler(failure, getDocument) },
    { method: "GET", path: "/docs/health", handle: loadHandler(failure, getHealth) },
  ], { admit: (_c, next) => next() });
}
