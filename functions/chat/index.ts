import { createChatApp } from "../../shared/features/chat/app.ts";
import { createServices } from "../../shared/core/services.ts";

Deno.serve(createChatApp(createServices()).fetch);
