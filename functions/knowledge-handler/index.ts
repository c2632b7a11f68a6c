import { createKnowledgeApp } from "../../shared/knowledge/app.ts";
import { createServices } from "../../shared/services.ts";

Deno.serve(createKnowledgeApp(createServices()).fetch);
