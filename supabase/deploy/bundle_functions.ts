import { common, dirname, join, relative } from "deno-std/path/mod.js";
import { z } from "zod";
import { listFunctions } from "../local/list_functions.ts";
import { describeSource } from "./describe_source.ts";
import { type FetchedPackages, fetchPackages } from "./fetch_packages.ts";
import { runDeno } from "./run_deno.ts";
import { createTempFolder } from "./temp_folder.ts";

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
 * The most bytes of a function that is uploaded. Supabase's own limit is 5 MB; it answers a larger upload with `500` and
 * no reason, and users report the same from 4 MB on.
 */
export const maxBundleSize = 4_000_000;

/** Globals of Node that packages expect. The runtime gives them only to packages, and in a bundle it sees none. */
const prelude = `import { Buffer as nodeBuffer } from "node:buffer";
import { clearImmediate as nodeClearImmediate, setImmediate as nodeSetImmediate } from "node:timers";
globalThis.global = globalThis;
globalThis.Buffer = nodeBuffer;
globalThis.setImmediate = nodeSetImmediate;
globalThis.clearImmediate = nodeClearImmediate;
`;

/** Deno adds this to a bundle by itself, but not with `--keep-names`. */
const requireOfNode = `import { createRequire as nodeCreateRequire } from "node:module";
const require = nodeCreateRequire(import.meta.url);
`;

/**
 * Bundles every function of the project, with all that it imports, into one file each. A function that would be too
 * large is minified; its size shows whether that was enough. Packages are fetched anew, as they are in `deno.lock`.
 *
 * @throws {CommandError} with what Deno says when one cannot be bundled; as `fetchPackages` does.
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
  await Deno.mkdir(targetFolder, { recursive: true });
  await using temp = await createTempFolder();
  const fetched = await fetchPackages(root, programs.map(({ entryPoint }) => entryPoint), temp.folder);
  const [source, packages] = [await describeSource(root), await findPackages(root, fetched)];

  async function write(some: typeof programs, isReadable: boolean): Promise<Bundle[]> {
    if (some.length === 0) return [];
    // Log lines name the class of an error.
    const flags = isReadable ? [] : ["--minify", "--keep-names"];
    const entryPoints = some.map(({ entryPoint }) => entryPoint);
    const folder = await Deno.makeTempDir({ dir: targetFolder });
    const args = [...fetched.flags, "--platform=deno", ...flags, "--outdir", folder, ...entryPoints];
    await runDeno(root, ["bundle", ...args], fetched.env);
    // Deno lays the bundles out like their entry points.
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

  const readable = await write(programs, true);
  const large = new Set(readable.filter(({ size }) => size > maxBundleSize).map(({ name }) => name));
  const minified = await write(programs.filter(({ name }) => large.has(name)), false);
  return readable.map((bundle) => minified.find(({ name }) => name === bundle.name) ?? bundle);
}

const places = z.object({ npmCache: z.string() });

/** Matches the folders of packages in a bundle: they differ from machine to machine, and are private. */
async function findPackages(root: string, { env }: FetchedPackages): Promise<RegExp> {
  const { npmCache } = places.parse(JSON.parse(await runDeno(root, ["info", "--json"], env)));
  const folder = relative(await Deno.realPath(root), npmCache).replaceAll("\\", "/");
  return new RegExp(`${RegExp.escape(folder)}/[^/\\s"]+/`, "g");
}
