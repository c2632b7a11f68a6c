import { createApp, type Endpoint } from "../http/app.ts";
import { authenticate } from "../http/authenticate.ts";
import type { Services } from "../services.ts";

export const chatEndpoints: Endpoint[] = [
  {
    method: "POST",
    path: "/chat",
    scope: "chat",
    failure: "Failed to answer the message",
    load: async () => (await import("./transport/handlers.ts")).postChat,
  },
  {
    method: "POST",
    path: "/chat/:messageId/stop",
    scope: "chat",
    failure: "Failed to stop the answer",
    load: async () => (await import("./transport/handlers.ts")).postStop,
  },
  {
    method: "GET",
    path: "/chat/:messageId/stream",
    scope: "chat",
    failure: "Failed to fetch the answer",
    load: async () => (await import("./transport/handlers.ts")).getStream,
  },
];

/** The function `chat`: talking to a coach. */
export function createChatApp(services: Services) {
  return createApp("chat", services, chatEndpoints, { admit: authenticate(services) });
}
