import type { Services } from "../core/context.ts";
import { createOperationsApp } from "../http/operations_app.ts";
import type { Address } from "../http/endpoint.ts";
import { addresses } from "./endpoints/coaches.gen.ts";

/** All addresses of the function `coaches`. */
export const coachesAppRoutes: Address[] = [
  ...addresses,
];

/** The function `coaches`: the coaches that a caller may talk to, and the operations of the expert behind a coach. */
export function createCoachesApp(services: Services) {
  return createOperationsApp("coaches", services, coachesAppRoutes);
}
