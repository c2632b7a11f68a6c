import { createCoachesApp } from "../../shared/coaches/app.ts";
import { createServices } from "../../shared/services.ts";

Deno.serve(createCoachesApp(createServices()).fetch);
