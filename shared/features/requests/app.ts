import { defineRoute } from "../../http/route.ts";
import { askExpert, listRequests, withdrawRequest } from "./operations.ts";

/** The addresses of the function `threads` where people ask the expert in person. */
export const requestRoutes = [
  defineRoute({
    operation: askExpert,
    method: "POST",
    path: "/threads/:threadId{[^/]*}/ask-expert",
    headers: { idempotencyKey: "Idempotency-Key" },
    body: "application/json",
    isBodyOptional: true,
    reply: () => Promise.resolve((c, { request, isNew }) => c.json(request, isNew ? 201 : 200)),
  }),
  defineRoute({ operation: listRequests, method: "GET", path: "/threads/:threadId{[^/]*}/requests" }),
  defineRoute({
    operation: withdrawRequest,
    method: "DELETE",
    path: "/threads/:threadId{[^/]*}/requests/:requestId{[^/]*}",
  }),
];
