import { readFileSync } from "node:fs";

/** The two versions of Deno: that of the commands, tests and tools, and that which runs the functions. */
export type DenoName = "tools" | "functions";

/** Unit tests of code that both the functions and the commands use, where the versions might differ. */
const ofBoth = [
  "tests/unit/answer_sheet_test.ts",
  "tests/unit/api_key_test.ts",
  "tests/unit/env_test.ts",
  "shared/libs/llm/model_catalogue_test.ts",
  "shared/libs/web/public_address_test.ts",
];

/** Code that is never deployed as a function: pages, clients, commands and the stand-in for the platform. */
const notDeployed = /\bfrom "\.\.\/\.\.\/(?:shared\/clients|supabase\/(?:commands|platform))\//;

/**
 * The versions of Deno on which a file of tests runs: unit tests, also those beside the libraries, on the one that their
 * code is deployed on, as their imports tell, all others on that of the tools.
 *
 * @param isQuick true to leave out the second version of code that both use
 */
export function chooseDeno(file: string, { isQuick }: { isQuick: boolean }): DenoName[] {
  if (!/^(?:tests\/unit|shared\/libs)\//.test(file) || notDeployed.test(readFileSync(file, "utf8"))) return ["tools"];
  return isQuick || !ofBoth.includes(file) ? ["functions"] : ["functions", "tools"];
}
