import { createThreadsApp } from "../../shared/api/threads_app.ts";
import { createServices } from "../../shared/core/services.ts";

Deno.serve(createThreadsApp(createServices()).fetch);
