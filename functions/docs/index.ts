import { createDocsApp } from "../../shared/api/docs/app.ts";
import { createCoreServices } from "../../shared/core/core_services.ts";

Deno.serve(createDocsApp(createCoreServices()).fetch);
