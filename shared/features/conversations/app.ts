import { defineRoute } from "../../http/route.ts";
import { getUsage, listConversations } from "./operations.ts";

export const conversationsRoutes = [
  defineRoute({ operation: listConversations, method: "GET", path: "/coaches/:coachId{[^/]*}/threads" }),
  defineRoute({ operation: getUsage, method: "GET", path: "/coaches/:coachId{[^/]*}/usage" }),
];
