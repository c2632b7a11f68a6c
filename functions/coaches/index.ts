import { createCoachesApp } from "../../shared/apps/coaches_app.ts";
import { createServices } from "../../shared/services.ts";

Deno.serve(createCoachesApp(createServices()).fetch);
