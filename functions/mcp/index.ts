import { createMcpApp } from "../../shared/api/mcp/app.ts";
import { createServices } from "../../shared/core/services.ts";

Deno.serve(createMcpApp(createServices()).fetch);
