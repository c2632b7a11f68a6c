import { addresses } from "../../shared/api/endpoints/coaches.gen.ts";
import { createServices } from "../../shared/core/services.ts";
import { createOperationsApp } from "../../shared/http/operations_app.ts";

Deno.serve(createOperationsApp("coaches", createServices(), addresses).fetch);
