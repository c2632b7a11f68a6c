import { createUsersApp } from "../../shared/users/app.ts";
import { createServices } from "../../shared/services.ts";

Deno.serve(createUsersApp(createServices()).fetch);
