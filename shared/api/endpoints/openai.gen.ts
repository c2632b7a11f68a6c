// Written by `npm run client`; not to be edited.
import type { Address } from "../../http/endpoint.ts";

export const addresses: Address[] = [
  {
    method: "POST",
    path: "/openai/v1/chat/completions",
    load: () => import("../../api/openai/create_chat_completion.ts"),
  },
  {
    method: "GET",
    path: "/openai/v1/models/:model{[^/]+}",
    load: () => import("../../api/openai/get_model.ts"),
  },
  {
    method: "GET",
    path: "/openai/v1/models",
    load: () => import("../../api/openai/list_models.ts"),
  },
  {
    method: "POST",
    path: "/openai/v1/responses/:responseId{[^/]+}/cancel",
    load: () => import("../../api/openai/cancel_response.ts"),
  },
  {
    method: "GET",
    path: "/openai/v1/responses/:responseId{[^/]+}",
    load: () => import("../../api/openai/get_response.ts"),
  },
  {
    method: "DELETE",
    path: "/openai/v1/responses/:responseId{[^/]+}",
    load: () => import("../../api/openai/delete_response.ts"),
  },
  {
    method: "POST",
    path: "/openai/v1/responses",
    load: () => import("../../api/openai/create_response.ts"),
  },
];
