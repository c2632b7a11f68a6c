import { join, relative } from "deno-std/path/mod.js";
import { listFunctions } from "../local/list_functions.ts";
import { describeSource } from "./describe_source.ts";
import { runDeno } from "./run_deno.ts";

/** A function in a single file that imports nothing. */
export type Bundle = {
  name: string;
  /** The file: `<target folder>/<name>/index.js`. */
  file: string;
  /** In bytes. */
  size: number;
  /** Whether its code is laid out as it was written; a larger one is minified. */
  isReadable: boolean;
};

/**
 * The most bytes that a function is uploaded with. Where Supabase bundles it, it takes 5 MB and says no more than
 * `500` to what is larger; people tell of that from 4 MB on.
 */
export const maxBundleSize = 4_000_000;

/** What packages may expect of Node. The runtime gives it to packages alone, and in a bundle it finds none. */
const prelude = `import { Buffer as nodeBuffer } from "node:buffer";
import { clearImmediate as nodeClearImmediate, setImmediate as nodeSetImmediate } from "node:timers";
globalThis.global = globalThis;
globalThis.Buffer = nodeBuffer;
globalThis.setImmediate = nodeSetImmediate;
globalThis.clearImmediate = nodeClearImmediate;
`;

/** Deno gives it to the packages of a bundle by itself, but not when names are kept. */
const requireOfNode = `import { createRequire as nodeCreateRequire } from "node:module";
const require = nodeCreateRequire(import.meta.url);
`;

/**
 * Writes every function of the project in a folder, with all that it imports, into a file each. What would be too large
 * is minified, and may still be too large afterwards: its size tells.
 *
 * @throws {CommandError} with what Deno says when one cannot be bundled.
 */
export async function bundleFunctions(root: string, targetFolder: string): Promise<Bundle[]> {
  const [source, packages] = [await describeSource(root), await findPackages(root)];
  const bundles: Bundle[] = [];
  // One after the other: each takes some hundred megabytes of memory.
  for (const name of listFunctions(root)) {
    const head = `// The function ${name}, ${source}\n${prelude}`;
    const file = join(targetFolder, name, "index.js");
    const write = async (head: string, flags: string[]) => {
      const code = head + (await bundle(root, name, flags)).replaceAll(packages, "npm/");
      await Deno.mkdir(join(targetFolder, name), { recursive: true });
      await Deno.writeTextFile(file, code);
      return (await Deno.stat(file)).size;
    };
    let size = await write(head, []);
    const isReadable = size <= maxBundleSize;
    // The log tells errors by the names of their classes.
    if (!isReadable) size = await write(head + requireOfNode, ["--minify", "--keep-names"]);
    bundles.push({ name, file, size, isReadable });
  }
  return bundles;
}

async function bundle(root: string, name: string, flags: string[]): Promise<string> {
  return await runDeno(root, ["bundle", "--frozen", "--platform=deno", ...flags, `functions/${name}/index.ts`]);
}

/** Where packages lie on this machine, as a bundle tells it: that is nobody's business, and differs elsewhere. */
async function findPackages(root: string): Promise<RegExp> {
  const { npmCache } = JSON.parse(await runDeno(root, ["info", "--json"]));
  const folder = relative(await Deno.realPath(root), npmCache).replaceAll("\\", "/");
  return new RegExp(`${RegExp.escape(folder)}/[^/\\s"]+/`, "g");
}
