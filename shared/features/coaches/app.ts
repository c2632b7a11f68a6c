import { defineRoute } from "../../http/route.ts";
import { getCoach, listCoaches } from "./operations.ts";

export const coachesRoutes = [
  defineRoute({ operation: listCoaches, method: "GET", path: "/coaches" }),
  // An empty parameter is a 400, as in the interface's own paths.
  defineRoute({ operation: getCoach, method: "GET", path: "/coaches/:coachId{[^/]*}" }),
];
