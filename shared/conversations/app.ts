import type { AnyRoute } from "../http/route.ts";

/** Routes of the function `coaches`. */
export const conversationsRoutesOfCoaches: AnyRoute[] = [];

/** Routes of the function `threads`. */
export const conversationsRoutesOfThreads: AnyRoute[] = [];
