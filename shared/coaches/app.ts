import { tryRoutes } from "../chat/app.ts";
import type { Services } from "../context.ts";
import { createOperationsApp } from "../http/operations_app.ts";
import { defineRoute } from "../http/route.ts";
import { pinnedAnswersRoutesOfCoaches } from "../pinned_answers/app.ts";
import { questionsRoutesOfCoaches } from "../questions/app.ts";
import { takeoverRoutesOfCoaches } from "../takeover/app.ts";
import { eventsRoutesOfCoaches } from "../events/app.ts";
import { conversationsRoutesOfCoaches } from "../conversations/app.ts";
import { getCoach, listCoaches } from "./operations.ts";

export const coachesRoutes = [
  defineRoute({ operation: listCoaches, method: "GET", path: "/coaches" }),
  // An empty parameter is a 400, as at the paths of the interface.
  defineRoute({ operation: getCoach, method: "GET", path: "/coaches/:coachId{[^/]*}" }),
  ...tryRoutes,
  ...pinnedAnswersRoutesOfCoaches,
  ...questionsRoutesOfCoaches,
  ...takeoverRoutesOfCoaches,
  ...eventsRoutesOfCoaches,
  ...conversationsRoutesOfCoaches,
];

/** The function `coaches`: whom the caller may talk to, and what the expert behind a coach sees and does. */
export function createCoachesApp(services: Services) {
  return createOperationsApp("coaches", services, coachesRoutes);
}
