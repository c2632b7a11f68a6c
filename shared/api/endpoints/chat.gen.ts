// Written by `npm run client`; not to be edited.
import type { Address } from "../../http/endpoint.ts";

export const addresses: Address[] = [
  {
    method: "POST",
    path: "/chat/:messageId/retry",
    load: () => import("../../features/chat/retry_answer.ts"),
  },
  {
    method: "POST",
    path: "/chat/:messageId/stop",
    load: () => import("../../features/chat/stop_answer.ts"),
  },
  {
    method: "GET",
    path: "/chat/:messageId/stream",
    load: () => import("../../features/chat/follow_answer.ts"),
  },
  {
    method: "POST",
    path: "/chat",
    load: () => import("../../features/chat/chat.ts"),
  },
];
