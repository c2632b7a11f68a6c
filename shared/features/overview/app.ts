import { defineRoute } from "../../http/route.ts";
import { getOverview } from "./operations.ts";

export const overviewRoutes = [
  defineRoute({ operation: getOverview, method: "GET", path: "/coaches/:coachId{[^/]*}/overview" }),
];
