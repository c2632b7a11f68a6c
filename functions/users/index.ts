import { createUsersApp } from "../../shared/features/threads/app.ts";
import { createServices } from "../../shared/core/services.ts";

Deno.serve(createUsersApp(createServices()).fetch);
