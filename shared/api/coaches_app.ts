import { tryRoutes } from "../features/chat/app.ts";
import type { Services } from "../core/context.ts";
import { createOperationsApp } from "../http/operations_app.ts";
import type { Address } from "../http/endpoint.ts";
import { addresses } from "./endpoints/coaches.gen.ts";
import { personaTestsRoutes } from "../features/persona_tests/app.ts";

/** All addresses of the function `coaches`. */
export const coachesAppRoutes: Address[] = [
  ...addresses,
  ...personaTestsRoutes,
  ...tryRoutes,
];

/** The function `coaches`: the coaches that a caller may talk to, and the operations of the expert behind a coach. */
export function createCoachesApp(services: Services) {
  return createOperationsApp("coaches", services, coachesAppRoutes);
}
