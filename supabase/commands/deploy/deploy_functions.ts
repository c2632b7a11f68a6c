import { join } from "node:path";
import { z } from "zod";
import { CommandError } from "../command_error.ts";
import { parseToml, stringifyToml } from "../std.ts";
import { type Bundle, bundleFunctions } from "./bundle_functions.ts";
import type { SupabaseCli } from "./supabase_cli.ts";

const config = z.looseObject({
  functions: z.record(
    z.string(),
    z.object({ enabled: z.boolean().default(true), verify_jwt: z.boolean().default(true), entrypoint: z.string() })
      .partial({ entrypoint: true }),
  ).default({}),
});

/** Reads `supabase/config.toml` of a project; missing settings have the CLI's defaults. */
export async function readProjectConfig(root: string): Promise<z.output<typeof config>> {
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

/** The folder and names of the functions to deploy, and the project. */
type Deployment = { folder: string; names: string[]; projectRef: string };

/**
 * Deploys the functions of a folder that `makeUpload` created. They are already bundled.
 *
 * @throws {CommandError} with the CLI's message, or if it left a function out.
 */
export async function deployFunctions(cli: SupabaseCli, { folder, names, projectRef }: Deployment): Promise<void> {
  const { functions } = await cli(
    ["functions", "deploy", "--use-api", `--remote=${projectRef}`, "--workdir", folder],
    deployed,
  );
  // The CLI reports a success all the same.
  const absent = names.filter((name) => !functions?.includes(name));
  if (absent.length > 0) throw new CommandError(`Not deployed: ${absent.join(", ")}`);
}
