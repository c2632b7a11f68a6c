import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readGraph } from "../deploy/read_graph.ts";
import { createTempFolder } from "../deploy/run_deno.ts";
import { listFunctions } from "../../platform/list_functions.ts";

/** A package in the version that is shipped. */
export type ShippedPackage = { name: string; version: string };

/**
 * The packages that the functions, the pages and the npm packages contain: those that their modules import, and all that
 * these need. What only tests and commands use is not shipped.
 *
 * @throws {CommandError} with what Deno says.
 */
export async function listShipped(root: string): Promise<ShippedPackage[]> {
  const modules = [
    ...listFunctions(root).map((name) => join(root, "functions", name, "index.ts")),
    ...await listModules(join(root, "shared/clients")),
    // In one file: see `supabase/commands/telemetry`.
    ...await listModules(join(root, "supabase/commands/telemetry")),
  ];
  await using temp = await createTempFolder();
  const all = join(temp.folder, "all.ts");
  await Deno.writeTextFile(all, modules.map((path) => `import "${pathToFileURL(path)}";\n`).join(""));
  const found = await readGraph(root, all);
  const shipped = new Map<string, ShippedPackage>();
  const waiting = found.modules.flatMap(({ npmPackage }) => npmPackage ?? []);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const { name, version, dependencies } = found.npmPackages[id]!;
    // Platforms' own binaries may be left out.
    if (!shipped.has(id)) waiting.push(...dependencies.filter((each) => each in found.npmPackages));
    shipped.set(id, { name, version });
  }
  const packages = new Map([...shipped.values()].map((each) => [`${each.name} ${each.version}`, each]));
  return [...packages.keys()].toSorted().map((key) => packages.get(key)!);
}

async function listModules(folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  const found = await Promise.all(entries.map(({ name, isDirectory }) => {
    const path = join(folder, name);
    return isDirectory ? listModules(path) : name.endsWith(".ts") ? [path] : [];
  }));
  return found.flat();
}
