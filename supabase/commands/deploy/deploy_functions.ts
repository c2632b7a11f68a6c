import { join } from "node:path";
import { z } from "zod";
import { CommandError, errorMessage } from "../command_error.ts";
import { parseToml, stringifyToml } from "../std.ts";
import { type Bundle, bundleFunctions } from "./bundle_functions.ts";
import type { SupabaseCli } from "./supabase_cli.ts";
import { listFunctions } from "../../platform/list_functions.ts";
import { readModules } from "./read_graph.ts";

const config = z.looseObject({
  functions: z.record(
    z.string(),
    z.object({ enabled: z.boolean().default(true), verify_jwt: z.boolean().default(true), entrypoint: z.string() })
      .partial({ entrypoint: true }),
  ).default({}),
});

/** Reads `supabase/config.toml` of a project; missing settings have the CLI's defaults. */
async function readProjectConfig(root: string): Promise<z.output<typeof config>> {
  return config.parse(parseToml(await Deno.readTextFile(join(root, "supabase/config.toml"))));
}

/**
 * Creates a Supabase project in a folder that only contains the files to upload: every function of the project as a
 * bundle, and a configuration that lists them.
 *
 * @throws {CommandError} as `bundleFunctions` does.
 */
export async function makeUpload(root: string, folder: string): Promise<Bundle[]> {
  const bundles = await bundleFunctions(root, join(folder, "supabase/functions"));
  const config = await readProjectConfig(root);
  const functions = Object.fromEntries(bundles.map(({ name }) => {
    const { enabled, verify_jwt } = config.functions[name] ?? {};
    return [name, { enabled, verify_jwt, entrypoint: `./functions/${name}/index.js` }];
  }));
  await Deno.writeTextFile(join(folder, "supabase/config.toml"), stringifyToml({ ...config, functions }));
  return bundles;
}

const deployed = z.object({ functions: z.array(z.string()).nullish() });

type Deployment = { folder: string; names: string[]; projectRef: string };

/** Deploys the functions that `makeUpload` has put into a folder. @throws {CommandError} if one was left out */
export async function deployFunctions(cli: SupabaseCli, { folder, names, projectRef }: Deployment): Promise<void> {
  const { functions } = await cli(
    ["functions", "deploy", "--use-api", `--remote=${projectRef}`, "--workdir", folder],
    deployed,
  );
  // The CLI reports a success all the same.
  const absent = names.filter((name) => !functions?.includes(name));
  if (absent.length > 0) throw new CommandError(`Not deployed: ${absent.join(", ")}`);
}

/** Compares `functions/` with `supabase/config.toml` and imports: a sentence for each fault that the CLI deploys. */
export async function checkFunctions(root: string): Promise<string[]> {
  const config = await readProjectConfig(root);
  const sections = Object.entries(config.functions).filter(([, { enabled }]) => enabled);
  const names = sections.map(([name]) => name);
  const faults = listFunctions(root).filter((name) => !names.includes(name))
    .map((name) => `${name}: supabase/config.toml has no [functions.${name}] that is enabled`);
  const entryPoints: string[] = [];
  for (const [name, { verify_jwt, entrypoint }] of sections) {
    if (verify_jwt) faults.push(`${name}: verify_jwt is on in supabase/config.toml`);
    entryPoints.push(join("supabase", entrypoint ?? `functions/${name}/index.ts`));
  }
  return [...faults, ...await findMissingModules(root, entryPoints)].toSorted();
}

async function findMissingModules(root: string, entryPoints: string[]): Promise<string[]> {
  const missing = await Promise.all(entryPoints.map(async (entryPoint) => {
    try {
      const modules = await readModules(root, entryPoint);
      return modules.filter(({ isReadable }) => !isReadable).map(({ path }) => `${path} cannot be read`);
    } catch (error) {
      return [errorMessage(error)];
    }
  }));
  return [...new Set(missing.flat())];
}
