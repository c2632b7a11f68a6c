import { join, relative } from "deno-std/path/mod.js";
import { CommandError } from "../command_error.ts";
import { listFunctions } from "../local/list_functions.ts";
import { describeSource } from "./describe_source.ts";

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
    const firstLine = `// The function ${name}, ${source}\n`;
    const file = join(targetFolder, name, "index.js");
    const write = async (flags: string[]) => {
      const code = firstLine + (await bundle(root, name, flags)).replaceAll(packages, "npm/");
      await Deno.mkdir(join(targetFolder, name), { recursive: true });
      await Deno.writeTextFile(file, code);
      return (await Deno.stat(file)).size;
    };
    let size = await write([]);
    const isReadable = size <= maxBundleSize;
    // The log tells errors by the names of their classes.
    if (!isReadable) size = await write(["--minify", "--keep-names"]);
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

async function runDeno(root: string, [command, ...args]: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [command!, "--quiet", ...args],
    cwd: root,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  if (success) return new TextDecoder().decode(stdout);
  throw new CommandError(`deno ${command} ${args.at(-1)}: ${new TextDecoder().decode(stderr).trim()}`);
}
