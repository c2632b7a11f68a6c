/** `npm run lock`: writes the functions' own `deno.json` and `deno.lock`, after their imports have changed. */
import { projectRoot } from "../local/state.ts";
import { lockFunctions } from "./lock_functions.ts";

await lockFunctions(projectRoot);
