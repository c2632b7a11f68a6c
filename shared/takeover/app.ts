import type { AnyRoute } from "../http/route.ts";

/** Routes of the function `coaches`. */
export const takeoverRoutesOfCoaches: AnyRoute[] = [];

/** Routes of the function `threads`. */
export const takeoverRoutesOfThreads: AnyRoute[] = [];
