import { createOpenaiApp } from "../../shared/api/openai_app.ts";
import { createServices } from "../../shared/core/services.ts";

Deno.serve(createOpenaiApp(createServices()).fetch);
