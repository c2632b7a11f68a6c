import { parse } from "deno-std/toml/mod.js";
import { join, relative, toFileUrl } from "deno-std/path/mod.js";

/** The functions that a deployment puts into service, and what is wrong with them, a sentence each. */
export type FunctionList = { names: string[]; faults: string[] };

type Section = { enabled?: boolean; verify_jwt?: boolean; entrypoint?: string };

/** Compares `functions/` with `supabase/config.toml`, and follows the imports: the CLI takes what is missing lightly. */
export async function listFunctions(root: string): Promise<FunctionList> {
  const config = parse(await Deno.readTextFile(join(root, "supabase/config.toml")));
  const sections = Object.entries((config.functions ?? {}) as Record<string, Section>)
    .filter(([, { enabled }]) => enabled ?? true);
  const names = sections.map(([name]) => name).toSorted();
  const folders = [...Deno.readDirSync(join(root, "functions"))].filter(({ isDirectory }) => isDirectory);
  const faults = folders.map(({ name }) => name).filter((name) => !names.includes(name))
    .map((name) => `${name}: supabase/config.toml has no [functions.${name}] that is enabled`);
  const entryPoints: string[] = [];
  for (const [name, { verify_jwt, entrypoint }] of sections) {
    if (verify_jwt ?? true) faults.push(`${name}: verify_jwt is on in supabase/config.toml`);
    entryPoints.push(join(root, "supabase", entrypoint ?? `functions/${name}/index.ts`));
  }
  return { names, faults: [...faults, ...await findMissingModules(root, entryPoints)].toSorted() };
}

type Graph = { modules: { specifier: string; error?: string }[] };

async function findMissingModules(root: string, entryPoints: string[]): Promise<string[]> {
  const missing = await Promise.all(entryPoints.map(async (entryPoint) => {
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--quiet", "--json", "--config", join(root, "deno.json"), entryPoint],
      cwd: root,
    }).output();
    if (!success) return [`${relative(root, entryPoint)}: ${new TextDecoder().decode(stderr).trim()}`];
    const { modules }: Graph = JSON.parse(new TextDecoder().decode(stdout));
    return modules.filter(({ error }) => error !== undefined).map(({ specifier }) => describe(root, specifier));
  }));
  return [...new Set(missing.flat())];
}

function describe(root: string, specifier: string): string {
  const base = `${toFileUrl(Deno.realPathSync(root))}/`;
  return `${specifier.startsWith(base) ? decodeURI(specifier.slice(base.length)) : specifier} cannot be read`;
}
