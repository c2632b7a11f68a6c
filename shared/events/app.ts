import type { AnyRoute } from "../http/route.ts";

/** Routes of the function `coaches`. */
export const eventsRoutesOfCoaches: AnyRoute[] = [];

/** Routes of the function `threads`. */
export const eventsRoutesOfThreads: AnyRoute[] = [];
