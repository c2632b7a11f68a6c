import { createApp, loadHandler } from "../../http/app.ts";
import type { CoreServices } from "../../core/core_services.ts";

/** The function `docs`: the OpenAPI document, which is public. */
export function createDocsApp(services: Pick<CoreServices, "createLog" | "tracing">) {
  const handle = loadHandler("Failed to describe the service", async () => (await import("./handlers.ts")).getDocument);
  return createApp("docs", services, [{ method: "GET", path: "/docs/openapi.json", handle }], {
    admit: (_c, next) => next(),
  });
}
