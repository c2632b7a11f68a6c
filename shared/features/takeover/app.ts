import { defineRoute } from "../../http/route.ts";
import { releaseThread, reviseAnswer, sayAsExpert, takeOver } from "./operations.ts";

export const takeoverRoutes = [
  defineRoute({ operation: takeOver, method: "POST", path: "/threads/:threadId{[^/]*}/takeover" }),
  defineRoute({ operation: releaseThread, method: "POST", path: "/threads/:threadId{[^/]*}/release" }),
  defineRoute({
    operation: sayAsExpert,
    method: "POST",
    path: "/threads/:threadId{[^/]*}/messages",
    body: "application/json",
  }),
  defineRoute({
    operation: reviseAnswer,
    method: "POST",
    path: "/threads/:threadId{[^/]*}/messages/:messageId{[^/]*}/revise",
    body: "application/json",
  }),
];
