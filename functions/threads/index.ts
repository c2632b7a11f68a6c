import { createThreadsApp } from "../../shared/apps/threads_app.ts";
import { createServices } from "../../shared/services.ts";

Deno.serve(createThreadsApp(createServices()).fetch);
