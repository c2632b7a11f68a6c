import { createIndexerApp } from "../../shared/indexer/app.ts";
import { createCoreServices } from "../../shared/core_services.ts";

Deno.serve(createIndexerApp(createCoreServices()).fetch);
