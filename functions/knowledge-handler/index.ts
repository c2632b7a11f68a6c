import { createKnowledgeApp } from "../../shared/features/knowledge/app.ts";
import { createServices } from "../../shared/core/services.ts";

Deno.serve(createKnowledgeApp(createServices()).fetch);
