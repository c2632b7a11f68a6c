import { createDocsApp } from "../../shared/api/docs/app.ts";
import { openTracing } from "../../shared/core/open_tracing.ts";
import { createLog } from "../../shared/infra/log.ts";

Deno.serve(createDocsApp({ createLog, tracing: openTracing() }).fetch);
