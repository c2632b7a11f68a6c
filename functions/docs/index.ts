import { createDocsApp } from "../../shared/api/docs/app.ts";
import { openTracing } from "../../shared/core/platform.ts";
import { createLog } from "../../shared/libs/base/log.ts";

const tracing = openTracing();
const loadServices = async () =>
  (await import("../../shared/core/core_services.ts")).createCoreServices(undefined, { tracing });

Deno.serve(createDocsApp({ createLog, tracing }, loadServices).fetch);
