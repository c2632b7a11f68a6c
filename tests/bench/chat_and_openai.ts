/**
 * The functions `chat` and `openai` in one process. Two processes of the same code differ by up to a tenth of the CPU of a
 * turn, which is more than these two.
 */
import { createOpenaiApp } from "../../shared/api/openai/app.ts";
import { createServices } from "../../shared/core/services.ts";
import { createChatApp } from "../../shared/features/chat/app.ts";

const services = createServices();
const [chat, openai] = [createChatApp(services), createOpenaiApp(services)];

Deno.serve((request) => (new URL(request.url).pathname.startsWith("/openai/") ? openai : chat).fetch(request));
