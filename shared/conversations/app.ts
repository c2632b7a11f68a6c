import { type AnyRoute, defineRoute } from "../http/route.ts";
import { listConversations } from "./operations.ts";

/** Routes of the function `coaches`. */
export const conversationsRoutesOfCoaches: AnyRoute[] = [
  defineRoute({ operation: listConversations, method: "GET", path: "/coaches/:coachId{[^/]*}/threads" }),
];

/** Routes of the function `threads`. */
export const conversationsRoutesOfThreads: AnyRoute[] = [];
