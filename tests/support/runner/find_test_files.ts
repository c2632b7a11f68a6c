import { readdirSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/**
 * The files that paths name, as paths from the working directory. A folder means every file below it whose name
 * ends with `_test.ts`.
 *
 * @throws {Error} with a sentence for the person at the terminal when a path does not exist.
 */
export function findTestFiles(paths: string[]): string[] {
  const files = paths.flatMap((path) => {
    const { isFile, isDirectory } = statOf(path);
    if (!isFile && !isDirectory) throw new Error(`${path} does not exist`);
    return isFile ? [path] : readdirSync(path, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith("_test.ts")).map((name) => join(path, name));
  });
  return [...new Set(files.map((file) => relative(Deno.cwd(), resolve(file))))].toSorted();
}

function statOf(path: string): { isFile: boolean; isDirectory: boolean } {
  const stat = statSync(path, { throwIfNoEntry: false });
  return { isFile: stat?.isFile() ?? false, isDirectory: stat?.isDirectory() ?? false };
}
