import type { AnyRoute } from "../http/route.ts";

/** Routes of the function `coaches`. */
export const questionsRoutesOfCoaches: AnyRoute[] = [];

/** Routes of the function `threads`. */
export const questionsRoutesOfThreads: AnyRoute[] = [];
