import { addresses } from "../../shared/api/endpoints/users.gen.ts";
import { createServices } from "../../shared/core/services.ts";
import { createOperationsApp } from "../../shared/http/operations_app.ts";

Deno.serve(createOperationsApp("users", createServices(), addresses).fetch);
