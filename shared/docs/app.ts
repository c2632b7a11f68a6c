import { createApp } from "../http/app.ts";
import type { Services } from "../services.ts";

/** The function `docs`: what there is to call, for whoever asks. */
export function createDocsApp(services: Services) {
  return createApp("docs", services, [{
    method: "GET",
    path: "/docs/openapi.json",
    failure: "Failed to describe the service",
    load: async () => (await import("./handlers.ts")).getDocument,
  }], { admit: (_c, next) => next() });
}
