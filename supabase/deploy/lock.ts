/** `npm run lock`: writes the functions' own configuration anew, after a change of what they import. */
import { projectRoot } from "../local/state.ts";
import { lockFunctions } from "./lock_functions.ts";

await lockFunctions(projectRoot);
