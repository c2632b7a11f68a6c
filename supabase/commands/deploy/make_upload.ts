import { join } from "node:path";
import { stringifyToml } from "../std.ts";
import { type Bundle, bundleFunctions } from "./bundle_functions.ts";
import { readProjectConfig } from "./read_project_config.ts";

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
