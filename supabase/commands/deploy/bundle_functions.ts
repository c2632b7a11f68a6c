import { rm } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { z } from "zod";
import { listFunctions } from "../../platform/list_functions.ts";
import { createTempFolder, runDeno } from "./run_deno.ts";
import { CommandError } from "../command_error.ts";
import { pickImports, readPackages } from "./read_graph.ts";

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

/** Lists the parts of a bundle where the CLI looks for imports, also in comments, to upload them. */
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

/** The files that a deployment is built from. */
const sources = ["functions", "shared", "deno.json", "deno.lock"];

/** Describes the commit that the functions of a project are built from, and its repository. */
export async function describeSource(root: string): Promise<string> {
  const commit = await git(root, "rev-parse", "HEAD");
  const changes = await git(root, "status", "--porcelain", "--", ...sources);
  const address = await git(root, "remote", "get-url", "origin");
  const built = commit === null || changes === null
    ? "built from a folder without git"
    : `built from commit ${commit}${changes === "" ? "" : ", with uncommitted changes"}`;
  return `${built}; source: ${showAddress(address ?? "") ?? await readName(root)}`;
}

/** The address of a remote, without a token that it may contain; null for a path on this machine. */
function showAddress(remote: string): string | null {
  const url = URL.parse(remote);
  if (url === null || url.host === "") return isOfAnotherHost(remote) ? remote : null;
  if (url.protocol === "file:") return null;
  url.username = url.password = "";
  return url.href;
}

/** Returns true for `host:path` or `user@host:path`. A single letter is a Windows drive, not a host. */
function isOfAnotherHost(remote: string): boolean {
  return /^([\w.-]+@)?[\w.-]{2,}:[^:\s]/.test(remote) && !remote.startsWith("file:");
}

async function readName(root: string): Promise<string> {
  return z.object({ name: z.string() }).parse(JSON.parse(await Deno.readTextFile(join(root, "package.json")))).name;
}

/** Null if there is no git, or it fails. */
async function git(root: string, ...args: string[]): Promise<string | null> {
  try {
    const { success, stdout } = await new Deno.Command("git", { args: ["-C", root, ...args], stderr: "null" }).output();
    return success ? new TextDecoder().decode(stdout).trim() : null;
  } catch {
    return null;
  }
}

/** Flags and variables that make Deno use the fetched packages. */
export type FetchedPackages = { flags: string[]; env: Record<string, string> };

const lockFile = z.object({ npm: z.record(z.string(), z.object({ integrity: z.string() })) });

/**
 * Fetches the packages that programs of the project load, indirect ones too, into a folder, and makes sure that each is
 * the one in `deno.lock`. Deno compares a package with its digest only when it downloads it, so what this machine has in
 * its cache proves nothing.
 *
 * @param entryPoints paths from the root of the project
 * @throws {CommandError} when a package is not the one that is locked, or cannot be fetched.
 */
export async function fetchPackages(root: string, entryPoints: string[], folder: string): Promise<FetchedPackages> {
  const [config, lock] = [join(folder, "deno.json"), join(folder, "deno.lock")];
  const packages = await Promise.all(entryPoints.map((entryPoint) => readPackages(root, entryPoint)));
  const imports = await pickImports(root, new Set(packages.flatMap((some) => [...some])));
  await Deno.writeTextFile(config, JSON.stringify({ nodeModulesDir: "none", imports }));
  await Deno.copyFile(join(root, "deno.lock"), lock);

  const flags = [`--config=${config}`, `--lock=${lock}`];
  const env = { DENO_DIR: join(folder, "cache") };
  // Deno removes unused entries from the copy. If it differs from the registry, Deno does not stop, but writes what it
  // has fetched.
  await runDeno(root, ["cache", "--frozen=false", ...flags, ...entryPoints], env);
  const [locked, fetched] = [await readLock(join(root, "deno.lock")), await readLock(lock)];
  const others = Object.keys(fetched).filter((name) => fetched[name]!.integrity !== locked[name]?.integrity);
  if (others.length > 0) {
    throw new CommandError(
      `The packages in the registry differ from deno.lock: ${others.join(", ")}. Nothing was built.`,
    );
  }
  return { flags: ["--frozen", ...flags], env };
}

async function readLock(file: string) {
  return lockFile.parse(JSON.parse(await Deno.readTextFile(file))).npm;
}
