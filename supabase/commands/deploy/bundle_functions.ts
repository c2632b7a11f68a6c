import { rm } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { z } from "zod";
import { listFunctions } from "../../platform/list_functions.ts";
import { describeSource } from "./describe_source.ts";
import { type FetchedPackages, fetchPackages } from "./fetch_packages.ts";
import { createTempFolder, runDeno } from "./run_deno.ts";

/** A function in its own folder, without packages: an entry file, and parts that are loaded on demand. */
export type Bundle = {
  name: string;
  /** The entry file: `<target folder>/<name>/index.js`. The other parts are in the same folder. */
  file: string;
  /** Bytes of all its files. */
  size: number;
  /** True if its code keeps its layout; a larger function is minified. */
  isReadable: boolean;
};

/**
 * The most bytes of a function that is uploaded. Supabase's own limit is 5 MB; it answers a larger upload with `500` and
 * no reason, and users report the same from 4 MB on.
 */
export const maxBundleSize = 4_000_000;

/** Globals of Node that packages expect. The runtime only provides them to packages, but a bundle contains none. */
const prelude = `import { Buffer as nodeBuffer } from "node:buffer";
import { clearImmediate as nodeClearImmediate, setImmediate as nodeSetImmediate } from "node:timers";
globalThis.global = globalThis;
globalThis.Buffer = nodeBuffer;
globalThis.setImmediate = nodeSetImmediate;
globalThis.clearImmediate = nodeClearImmediate;
`;

/**
 * Bundles every function of the project with its imports. Dynamic imports become separate files, so that a cold start
 * only reads what the first request needs. A function that would be too large is minified; its size shows whether that
 * was enough. Packages are fetched again, in the versions of `deno.lock`.
 *
 * @throws {CommandError} with what Deno says when one cannot be bundled; as `fetchPackages` does.
 */
export async function bundleFunctions(root: string, targetFolder: string): Promise<Bundle[]> {
  const functions = listFunctions(root).map((name) => ({ name, entryPoint: `functions/${name}/index.ts` }));
  return await bundlePrograms(root, functions, targetFolder);
}

/** A program of the project; `entryPoint` is a path from its root. */
type Program = { name: string; entryPoint: string };

/** The same for any programs. */
export async function bundlePrograms(
  root: string,
  programs: Program[],
  targetFolder: string,
): Promise<Bundle[]> {
  await Deno.mkdir(targetFolder, { recursive: true });
  await using temp = await createTempFolder();
  const fetched = await fetchPackages(root, programs.map(({ entryPoint }) => entryPoint), temp.folder);
  const [source, packages] = [await describeSource(root), await findPackages(root, fetched)];

  async function write({ name, entryPoint }: Program, isReadable: boolean): Promise<Bundle> {
    const folder = join(targetFolder, name);
    await rm(folder, { recursive: true, force: true });
    // Log lines contain the class name of an error.
    const flags = ["--platform=deno", "--code-splitting", ...(isReadable ? [] : ["--minify", "--keep-names"])];
    await runDeno(root, ["bundle", ...fetched.flags, ...flags, "--outdir", folder, entryPoint], fetched.env);
    const file = join(folder, "index.js");
    await Deno.rename(join(folder, basename(entryPoint, ".ts") + ".js"), file);
    const parts = Array.from(Deno.readDirSync(folder), (entry) => entry.name).toSorted();
    let size = 0;
    for (const part of parts) {
      const path = join(folder, part);
      const bundled = (await Deno.readTextFile(path)).replaceAll(packages, "npm/");
      const code = addRequire(bundled, isReadable);
      const head = `// The function ${name}, ${source}\n${listForUpload(parts)}${prelude}`;
      await Deno.writeTextFile(path, part === "index.js" ? head + code : code);
      size += (await Deno.stat(path)).size;
    }
    return { name, file, size, isReadable };
  }

  const bundles: Bundle[] = [];
  for (const program of programs) {
    const readable = await write(program, true);
    bundles.push(readable.size > maxBundleSize ? await write(program, false) : readable);
  }
  return bundles;
}

/** The `require` for packages: it returns the modules of Node. */
const requireOfNode = `(name) => {
  const found = process.getBuiltinModule(name);
  if (found === undefined) throw new Error(\`There is no \${name} here\`);
  return found;
};
`;

/**
 * Provides `require` to packages. Deno's own is from `node:module`, which loads all of Node when the function starts.
 * In minified code it is missing; its replacement looks for a global one.
 */
function addRequire(code: string, isReadable: boolean): string {
  if (!isReadable) return code.includes("typeof require") ? `const require = ${requireOfNode}${code}` : code;
  const ofDeno =
    /import \{ createRequire as __deno_internal_createRequire \} from "node:module";\nvar __require = .*\n/;
  return code.replace(ofDeno, () => `var __require = ${requireOfNode}`);
}

/**
 * Lists the parts of a bundle in a form that the CLI understands: it uploads everything that looks like an import, even
 * in comments, but does not find every import in code.
 */
function listForUpload(parts: string[]): string {
  return parts.filter((part) => part !== "index.js").map((part) => `// import "./${part}"\n`).join("");
}

const places = z.object({ npmCache: z.string() });

/** Matches the folders of packages in a bundle: they differ from machine to machine, and are private. */
async function findPackages(root: string, { env }: FetchedPackages): Promise<RegExp> {
  const { npmCache } = places.parse(JSON.parse(await runDeno(root, ["info", "--json"], env)));
  const folder = relative(await Deno.realPath(root), npmCache).replaceAll("\\", "/");
  return new RegExp(`${RegExp.escape(folder)}/[^/\\s"]+/`, "g");
}
