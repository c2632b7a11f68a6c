import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { runDeno } from "./run_deno.ts";

const resolution = z.object({ specifier: z.string().optional() }).optional();
const graph = z.object({
  roots: z.array(z.string()),
  modules: z.array(z.object({
    specifier: z.string(),
    error: z.string().optional(),
    npmPackage: z.string().optional(),
    dependencies: z.array(z.object({ code: resolution, type: resolution })).default([]),
  })),
  redirects: z.record(z.string(), z.string()),
  npmPackages: z.record(
    z.string(),
    z.object({ name: z.string(), version: z.string(), dependencies: z.array(z.string()) }),
  ),
});

const config = z.object({ imports: z.record(z.string(), z.string()) });

/** What a module of the project imports, as `deno info` has it. @throws {CommandError} with what Deno says. */
export async function readGraph(root: string, entryPoint: string): Promise<z.infer<typeof graph>> {
  const options = ["--json", "--frozen", "--config=deno.json"];
  return graph.parse(JSON.parse(await runDeno(root, ["info", ...options, entryPoint])));
}

/** A module that is imported from an entry point. It may be missing. */
export type Module = {
  /** The path from the root of the project; the full address of a module outside of it. */
  path: string;
  isReadable: boolean;
};

/** All modules that are imported from an entry point, including itself. @throws {CommandError} with what Deno says. */
export async function readModules(root: string, entryPoint: string): Promise<Module[]> {
  const { modules } = await readGraph(root, entryPoint);
  const base = `${pathToFileURL(await Deno.realPath(root))}/`;
  return modules.map(({ specifier, error }) => ({
    path: specifier.startsWith(base) ? decodeURI(specifier.slice(base.length)) : specifier,
    isReadable: error === undefined,
  }));
}

/** The package of a specifier, with its version: of `npm:hono@4.13.19/jsx`, `hono@4.13.19`. */
function packageOf(specifier: string): string | undefined {
  return /^npm:\/?((?:@[^/]+\/)?[^/]+)/.exec(specifier)?.[1];
}

/** The imports of the project's `deno.json` that name these packages. */
export async function pickImports(root: string, packages: Set<string>): Promise<Record<string, string>> {
  const { imports } = config.parse(JSON.parse(await Deno.readTextFile(join(root, "deno.json"))));
  return Object.fromEntries(
    Object.entries(imports).filter(([, specifier]) => packages.has(packageOf(specifier) ?? "")),
  );
}

/**
 * The npm packages that a module of the project loads, statically or on demand, with their versions: `hono@4.13.19`.
 * This includes packages of types: if a function starts from its source, the edge runtime looks for them.
 *
 * @throws {CommandError} with what Deno says.
 */
export async function readPackages(root: string, entryPoint: string): Promise<Set<string>> {
  const { roots, modules, redirects } = await readGraph(root, entryPoint);
  const dependenciesOf = new Map(modules.map(({ specifier, dependencies }) => [specifier, dependencies]));
  const packages = new Set<string>();
  const seen = new Set<string>();
  const waiting = [...roots];
  for (let specifier = waiting.pop(); specifier !== undefined; specifier = waiting.pop()) {
    if (seen.has(specifier)) continue;
    seen.add(specifier);
    const found = packageOf(specifier);
    if (found !== undefined) packages.add(found);
    const dependencies = dependenciesOf.get(redirects[specifier] ?? specifier) ?? [];
    waiting.push(
      ...dependencies.flatMap(({ code, type }) => [code?.specifier, type?.specifier]).filter((next) =>
        next !== undefined
      ),
    );
  }
  return packages;
}
