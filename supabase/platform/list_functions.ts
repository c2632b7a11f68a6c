import { join } from "node:path";
import { projectRoot } from "./state.ts";

/** The names of the edge functions in a copy of the project, sorted: every folder of `functions/` is one. */
export function listFunctions(root: string = projectRoot): string[] {
  return [...Deno.readDirSync(join(root, "functions"))]
    .filter(({ isDirectory }) => isDirectory).map(({ name }) => name).toSorted();
}
