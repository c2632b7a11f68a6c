import { createFetcherApp } from "../../shared/features/fetcher/app.ts";
import { createCoreServices } from "../../shared/core/core_services.ts";

Deno.serve(createFetcherApp(createCoreServices()).fetch);
