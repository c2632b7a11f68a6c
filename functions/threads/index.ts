import { createThreadsApp } from "../../shared/threads/app.ts";
import { createServices } from "../../shared/services.ts";

Deno.serve(createThreadsApp(createServices()).fetch);
