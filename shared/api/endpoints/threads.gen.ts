// Written by `npm run client`; not to be edited.
import type { Address } from "../../http/endpoint.ts";

export const addresses: Address[] = [
  {
    method: "POST",
    path: "/threads/:threadId/ask-expert",
    load: () => import("../../features/requests/ask_expert.ts"),
  },
  {
    method: "POST",
    path: "/threads/:threadId/draft-reply",
    load: () => import("../../features/takeover/draft_reply.ts"),
  },
  {
    method: "GET",
    path: "/threads/:threadId/events",
    load: () => import("../../features/events/watch_thread.ts"),
  },
  {
    method: "PUT",
    path: "/threads/:threadId/messages/:messageId/feedback",
    load: () => import("../../features/threads/rate_answer.ts"),
  },
  {
    method: "POST",
    path: "/threads/:threadId/messages/:messageId/revise",
    load: () => import("../../features/takeover/revise_answer.ts"),
  },
  {
    method: "GET",
    path: "/threads/:threadId/messages",
    pathWithoutParameter: "/threads/messages",
    load: () => import("../../features/threads/list_messages.ts"),
  },
  {
    method: "POST",
    path: "/threads/:threadId/messages",
    load: () => import("../../features/takeover/say_as_expert.ts"),
  },
  {
    method: "POST",
    path: "/threads/:threadId/read",
    load: () => import("../../features/threads/mark_thread_read.ts"),
  },
  {
    method: "POST",
    path: "/threads/:threadId/release",
    load: () => import("../../features/takeover/release_thread.ts"),
  },
  {
    method: "DELETE",
    path: "/threads/:threadId/requests/:requestId",
    load: () => import("../../features/requests/withdraw_request.ts"),
  },
  {
    method: "GET",
    path: "/threads/:threadId/requests",
    load: () => import("../../features/requests/list_requests.ts"),
  },
  {
    method: "POST",
    path: "/threads/:threadId/takeover",
    load: () => import("../../features/takeover/take_over.ts"),
  },
  {
    method: "POST",
    path: "/threads/:threadId/typing",
    load: () => import("../../features/events/tell_typing.ts"),
  },
  {
    method: "GET",
    path: "/threads/:threadId",
    pathWithoutParameter: "/threads",
    load: () => import("../../features/threads/get_thread.ts"),
  },
  {
    method: "PATCH",
    path: "/threads/:threadId",
    pathWithoutParameter: "/threads",
    load: () => import("../../features/threads/update_thread.ts"),
  },
  {
    method: "DELETE",
    path: "/threads/:threadId",
    pathWithoutParameter: "/threads",
    load: () => import("../../features/threads/delete_thread.ts"),
  },
];
