import { createIndexerApp } from "../../shared/indexer/app.ts";
import { createServices } from "../../shared/services.ts";

Deno.serve(createIndexerApp(createServices()).fetch);
