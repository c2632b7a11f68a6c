import { join } from "node:path";
import { z } from "zod";
import { listFunctions } from "../local/list_functions.ts";

/** A package in the version that is shipped. */
export type ShippedPackage = { name: string; version: string };

const config = z.object({ imports: z.record(z.string(), z.string()) });
const lock = z.object({
  specifiers: z.record(z.string(), z.string()),
  npm: z.record(
    z.string(),
    z.object({
      dependencies: z.array(z.string()).default([]),
      optionalDependencies: z.array(z.string()).default([]),
    }),
  ),
});

/**
 * The packages that the functions, the pages and the npm packages contain: those in the functions' own `deno.json`, those
 * that modules of the clients name, and all that these need, in the versions of `deno.lock`. What only tests and commands
 * use is not shipped.
 *
 * @throws {Error} when the lock file lacks one.
 */
export async function listShipped(root: string): Promise<ShippedPackage[]> {
  const read = async (name: string) => JSON.parse(await Deno.readTextFile(join(root, name)));
  const { imports } = config.parse(await read("deno.json"));
  const { specifiers, npm } = lock.parse(await read("deno.lock"));
  const named = new Set(await findNames(join(root, "shared/clients"), Object.keys(imports)));
  for (const name of listFunctions(root)) {
    for (const each of Object.keys(config.parse(await read(`functions/${name}/deno.json`)).imports)) named.add(each);
  }
  const ids = Object.keys(npm);

  /** Finds an entry of the lock, which names a version only where there are several. */
  function find(name: string): string {
    const id = ids.find((id) => id === name) ??
      ids.find((id) => id.startsWith(`${name}@`) || id.startsWith(`${name}_`));
    if (id === undefined) throw new Error(`deno.lock has no ${name}`);
    return id;
  }

  const found = new Set<string>();
  // In one file: see `supabase/commands/telemetry`.
  for (const each of await findNames(join(root, "supabase/commands/telemetry"), Object.keys(imports))) named.add(each);
  const waiting = [...named].map((name) => {
    const [, specifier = "", version = ""] = /^(npm:\/?(?:@[^/]+\/)?[^/@]+)@([^/]+)/.exec(imports[name]!) ?? [];
    const key = `${specifier.replace("npm:/", "npm:")}@${version}`;
    return find(`${key.slice("npm:".length).replace(/@[^@]+$/, "")}@${specifiers[key] ?? version}`);
  });
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    const { dependencies, optionalDependencies } = npm[id]!;
    // Platforms' own binaries may be left out of a lock.
    waiting.push(...dependencies.map(find), ...optionalDependencies.filter(isLocked).map(find));
  }
  function isLocked(name: string): boolean {
    return ids.some((id) => id === name || id.startsWith(`${name}@`));
  }
  const packages = new Map([...found].map((id) => {
    const [, name = "", version = ""] = /^((?:@[^/]+\/)?[^@]+)@([^_]+)/.exec(id) ?? [];
    return [`${name}@${version}`, { name, version }];
  }));
  return [...packages.values()].toSorted((a, b) => `${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1);
}

/** The names among `known` that modules in a folder import, also by a path below one. */
async function findNames(folder: string, known: string[]): Promise<string[]> {
  const found = new Set<string>();
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) { for (const each of await findNames(path, known)) found.add(each); }
    else if (name.endsWith(".ts")) {
      const text = await Deno.readTextFile(path);
      for (const [, specifier = ""] of text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*"([^".][^"]*)"/g)) {
        const name = known.find((each) => each === specifier) ??
          known.find((each) => specifier.startsWith(each.endsWith("/") ? each : `${each}/`));
        if (name !== undefined) found.add(name);
      }
    }
  }
  return [...found];
}
