import { join } from "node:path";
import { listFunctions } from "../../platform/list_functions.ts";
import { errorMessage } from "../command_error.ts";
import { readModules } from "./read_graph.ts";
import { readProjectConfig } from "./deploy_functions.ts";

/**
 * Compares `functions/` with `supabase/config.toml`, and follows the imports. Returns one sentence for each fault,
 * because the CLI deploys without complaint if something is missing.
 */
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
