import { createUsersApp } from "../../shared/threads/app.ts";
import { createServices } from "../../shared/services.ts";

Deno.serve(createUsersApp(createServices()).fetch);
