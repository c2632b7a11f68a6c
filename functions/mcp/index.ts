import { createMcpApp } from "../../shared/mcp/app.ts";
import { createServices } from "../../shared/services.ts";

Deno.serve(createMcpApp(createServices()).fetch);
