import { createIndexerApp } from "../../shared/features/background/app.ts";
import { createCoreServices } from "../../shared/core/core_services.ts";

Deno.serve(createIndexerApp(createCoreServices()).fetch);
