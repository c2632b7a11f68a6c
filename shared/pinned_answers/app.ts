import type { AnyRoute } from "../http/route.ts";

/** Routes of the function `coaches`. */
export const pinnedAnswersRoutesOfCoaches: AnyRoute[] = [];

/** Routes of the function `threads`. */
export const pinnedAnswersRoutesOfThreads: AnyRoute[] = [];
