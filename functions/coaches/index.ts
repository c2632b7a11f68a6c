import { createCoachesApp } from "../../shared/api/coaches_app.ts";
import { createServices } from "../../shared/core/services.ts";

Deno.serve(createCoachesApp(createServices()).fetch);
