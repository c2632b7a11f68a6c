import { createDocsApp } from "../../shared/docs/app.ts";
import { createServices } from "../../shared/services.ts";

Deno.serve(createDocsApp(createServices()).fetch);
