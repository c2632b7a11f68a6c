import { createUsersApp } from "../../shared/api/users_app.ts";
import { createServices } from "../../shared/core/services.ts";

Deno.serve(createUsersApp(createServices()).fetch);
