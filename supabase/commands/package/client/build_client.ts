import { dirname, join } from "node:path";
import ts from "typescript";
import { release } from "../../../../shared/infra/release.ts";
import { CommandError } from "../../command_error.ts";
import { projectRoot } from "../../../platform/state.ts";
import { beginPackage, describeBoth, packageNames } from "../package_folder.ts";

const entryPoints = { ".": "index", "./ai-sdk": "ai_sdk/index" };

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
};

/**
 * Writes the package of the typed client into a folder, whose earlier content is deleted: a JavaScript module and its
 * types for each file of `shared/clients/client`, and the files that npm requires. Types are checked by `npm run check`,
 * not here.
 *
 * @throws {CommandError} when a file cannot be translated on its own, because the type of an export is not explicit.
 */
export async function buildClient(folder: string): Promise<void> {
  const readme = await Deno.readTextFile(join(import.meta.dirname!, "README.md"));
  await beginPackage(folder, { description: await describePackage(), readme });
  const source = join(projectRoot, "shared/clients/client");
  for (const path of await listModules(source)) await translate(join(source, path), join(folder, "dist", path));
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
  const versionOf = (name: string) => imports[name].slice(`npm:${name}@`.length);
  const modules = Object.entries(entryPoints)
    .map(([path, module]) => [path, { types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` }]);
  return {
    ...await describeBoth(packageNames.client, `The typed client of the ${release.title} service`),
    sideEffects: false,
    files: ["dist"],
    exports: { ...Object.fromEntries(modules), "./package.json": "./package.json" },
    // Its types alone matter to ./ai-sdk, which imports nothing of it.
    peerDependencies: { ai: ">=5 <8" },
    peerDependenciesMeta: { ai: { optional: true } },
    dependencies: {
      // Version 4, which the other clients use, is the same for Node 22.12 and later.
      "eventsource-parser": "^3.1.1",
      "openapi-fetch": `^${versionOf("openapi-fetch")}`,
    },
  };
}
