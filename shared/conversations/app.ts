import { type AnyRoute, defineRoute } from "../http/route.ts";
import { getUsage, listConversations } from "./operations.ts";

/** Routes of the function `coaches`. */
export const conversationsRoutesOfCoaches: AnyRoute[] = [
  defineRoute({ operation: listConversations, method: "GET", path: "/coaches/:coachId{[^/]*}/threads" }),
  defineRoute({ operation: getUsage, method: "GET", path: "/coaches/:coachId{[^/]*}/usage" }),
];

/** Routes of the function `threads`. */
export const conversationsRoutesOfThreads: AnyRoute[] = [];
