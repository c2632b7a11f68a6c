import { createChatApp } from "../../shared/chat/app.ts";
import { createServices } from "../../shared/services.ts";

Deno.serve(createChatApp(createServices()).fetch);
