/** `npm run package`: builds the typed client as an npm package and packs it. It is not published. */
import { dirname, join } from "node:path";
import ts from "typescript";
import { release } from "../../../shared/base/release.ts";
import { CommandError } from "../command_error.ts";
import { projectRoot } from "../local/state.ts";

/** The entry points of the package, and their source files. */
const entryPoints = { ".": "index", "./ai-sdk": "ai_sdk/index" };

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
};

/**
 * Writes the package into a folder, whose earlier content is deleted: a JavaScript module and its types for each file
 * of `shared/clients/client`, and the files that npm requires. Types are checked by `npm run check`, not here.
 *
 * @throws {CommandError} when a file cannot be translated on its own, because the type of an export is not explicit.
 */
export async function buildPackage(folder: string): Promise<void> {
  await Deno.remove(folder, { recursive: true }).catch(ignoreMissing);
  const source = join(projectRoot, "shared/clients/client");
  for (const path of await listModules(source)) await translate(join(source, path), join(folder, "dist", path));
  await Deno.writeTextFile(join(folder, "package.json"), `${JSON.stringify(await describePackage(), null, 2)}\n`);
  await Deno.copyFile(join(import.meta.dirname!, "README.md"), join(folder, "README.md"));
  await Deno.copyFile(join(projectRoot, "LICENSE"), join(folder, "LICENSE"));
}

/**
 * Packs the folder of a package.
 *
 * @returns the path of the archive, which is next to the folder
 * @throws {CommandError} when npm fails.
 */
export async function packPackage(folder: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("npm", {
    args: ["pack", "--silent", "--pack-destination", dirname(folder)],
    cwd: folder,
    stdin: "null",
  }).output();
  if (!success) throw new CommandError(`npm pack failed: ${new TextDecoder().decode(stderr).trim()}`);
  return join(dirname(folder), new TextDecoder().decode(stdout).trim());
}

async function listModules(folder: string, prefix = ""): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(folder, prefix))) {
    const path = prefix + name;
    if (isDirectory) paths.push(...await listModules(folder, `${path}/`));
    else if (name.endsWith(".ts")) paths.push(path);
  }
  return paths;
}

/** Writes a module as JavaScript, with its types next to it. */
async function translate(from: string, to: string): Promise<void> {
  const source = await Deno.readTextFile(from);
  const input = { fileName: from, reportDiagnostics: true };
  const code = ts.transpileModule(source, { ...input, compilerOptions: options });
  const types = ts.transpileDeclaration(source, {
    ...input,
    compilerOptions: { ...options, declaration: true, isolatedDeclarations: true },
  });
  const [fault] = [...code.diagnostics ?? [], ...types.diagnostics ?? []];
  if (fault) throw new CommandError(`${from}: ${ts.flattenDiagnosticMessageText(fault.messageText, " ")}`);
  await Deno.mkdir(dirname(to), { recursive: true });
  await Deno.writeTextFile(to.replace(/\.ts$/, ".js"), code.outputText);
  // Declarations keep the extensions of their imports.
  const declarations = types.outputText.replace(/(from "\.[^"]*|import\("\.[^"]*)\.ts"/g, '$1.js"');
  await Deno.writeTextFile(to.replace(/\.ts$/, ".d.ts"), declarations);
}

async function describePackage() {
  const { imports } = JSON.parse(await Deno.readTextFile(join(projectRoot, "deno.json")));
  const { license } = JSON.parse(await Deno.readTextFile(join(projectRoot, "package.json")));
  const versionOf = (name: string) => imports[name].slice(`npm:${name}@`.length);
  return {
    name: "human-intelligence-client",
    version: release.version,
    description: `The typed client of the ${release.title} service`,
    license,
    type: "module",
    sideEffects: false,
    // Required by eventsource-parser.
    engines: { node: ">=22.12" },
    files: ["dist"],
    exports: Object.fromEntries(
      Object.entries(entryPoints)
        .map(([path, module]) => [path, { types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` }]),
    ),
    // Its types alone matter to ./ai-sdk, which imports nothing of it.
    peerDependencies: { ai: ">=5 <8" },
    peerDependenciesMeta: { ai: { optional: true } },
    dependencies: Object.fromEntries(["eventsource-parser", "openapi-fetch"].map((name) => [name, versionOf(name)])),
  };
}

function ignoreMissing(error: unknown) {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

if (import.meta.main) {
  const folder = join(projectRoot, "supabase/.temp/client/package");
  await buildPackage(folder);
  console.log(await packPackage(folder));
}
