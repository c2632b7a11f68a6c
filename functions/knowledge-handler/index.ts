import { createKnowledgeApp } from "../../shared/api/knowledge_app.ts";
import { createServices } from "../../shared/core/services.ts";

Deno.serve(createKnowledgeApp(createServices()).fetch);
