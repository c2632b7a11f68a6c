/** Loads the files of tests that `TEST_FILES` lists, so that they run in one process. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

for (const file of (Deno.env.get("TEST_FILES") ?? "").split("\n")) await import(pathToFileURL(resolve(file)).href);
