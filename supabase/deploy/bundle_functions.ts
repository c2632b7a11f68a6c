import { common, dirname, join, relative } from "deno-std/path/mod.js";
import { z } from "zod";
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
  const functions = listFunctions(root).map((name) => ({ name, entryPoint: `functions/${name}/index.ts` }));
  return await bundlePrograms(root, functions, targetFolder);
}

/** The same for any programs of the project; `entryPoint` is a path from its root. */
export async function bundlePrograms(
  root: string,
  programs: { name: string; entryPoint: string }[],
  targetFolder: string,
): Promise<Bundle[]> {
  const [source, packages] = [await describeSource(root), await findPackages(root)];

  async function write(some: typeof programs, isReadable: boolean): Promise<Bundle[]> {
    if (some.length === 0) return [];
    // The log tells errors by the names of their classes.
    const flags = isReadable ? [] : ["--minify", "--keep-names"];
    const entryPoints = some.map(({ entryPoint }) => entryPoint);
    const folder = await Deno.makeTempDir({ dir: targetFolder });
    await runDeno(root, ["bundle", "--frozen", "--platform=deno", ...flags, "--outdir", folder, ...entryPoints]);
    // Bundles lie to each other as their entry points do.
    const base = entryPoints.length === 1 ? dirname(entryPoints[0]!) : common(entryPoints);
    const bundles = await Promise.all(some.map(async ({ name, entryPoint }): Promise<Bundle> => {
      const bundled = join(folder, relative(base, entryPoint)).replace(/\.ts$/, ".js");
      const code = (await Deno.readTextFile(bundled)).replaceAll(packages, "npm/");
      const file = join(targetFolder, name, "index.js");
      const head = `// The function ${name}, ${source}\n${prelude}${isReadable ? "" : requireOfNode}`;
      await Deno.mkdir(join(targetFolder, name), { recursive: true });
      await Deno.writeTextFile(file, head + code);
      return { name, file, size: (await Deno.stat(file)).size, isReadable };
    }));
    await Deno.remove(folder, { recursive: true });
    return bundles;
  }

  await Deno.mkdir(targetFolder, { recursive: true });
  const readable = await write(programs, true);
  const large = new Set(readable.filter(({ size }) => size > maxBundleSize).map(({ name }) => name));
  const minified = await write(programs.filter(({ name }) => large.has(name)), false);
  return readable.map((bundle) => minified.find(({ name }) => name === bundle.name) ?? bundle);
}

const places = z.object({ npmCache: z.string() });

/** Where packages lie on this machine, as a bundle tells it: that is nobody's business, and differs elsewhere. */
async function findPackages(root: string): Promise<RegExp> {
  const { npmCache } = places.parse(JSON.parse(await runDeno(root, ["info", "--json"])));
  const folder = relative(await Deno.realPath(root), npmCache).replaceAll("\\", "/");
  return new RegExp(`${RegExp.escape(folder)}/[^/\\s"]+/`, "g");
}
