import { dirname, join } from "node:path";
import { deployFunctions, makeUpload } from "../../../supabase/commands/deploy/deploy_functions.ts";
import { createSupabaseCli } from "../../../supabase/commands/deploy/supabase_cli.ts";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { fail } from "../../support/assert.ts";
import { runCommand } from "../../support/run_command.ts";
import { makeCliEnv, projectRef, startManagementApi, type Upload } from "./management_api.ts";

/** The requests that the platform received in a deployment. */
export type Deployment = { uploads: Upload[]; inService: string[] };

/** Deploys the functions of the project in a folder unbundled, with only the Supabase CLI. */
export function deployPlainly(folder: string): Promise<Deployment> {
  return withPlatform(async (env) => {
    const { code, stdout, stderr } = await runCommand(
      join(projectRoot, "node_modules/.bin/supabase"),
      ["functions", "deploy", "--use-api", "--yes", `--remote=${projectRef}`],
      { cwd: folder, clearEnv: true, env: { ...env, SUPABASE_NO_UPDATE_NOTIFIER: "1" } },
    );
    if (code !== 0) fail(`The CLI ended with code ${code}.\n${stdout}\n${stderr}`);
  });
}

/**
 * Deploys the functions of the project in a folder as `npm run deploy` does: bundled. `bundled` has the paths of the
 * files of each, sorted.
 */
export async function deployBundles(folder: string): Promise<Deployment & { bundled: Map<string, string[]> }> {
  const bundled = new Map<string, string[]>();
  const deployment = await withPlatform(async (env) => {
    const target = await Deno.makeTempDir({ prefix: "bundles-" });
    try {
      const bundles = await makeUpload(folder, target);
      for (const { name, file } of bundles) {
        const names = Array.from(Deno.readDirSync(dirname(file)), (entry) => entry.name).toSorted();
        bundled.set(name, names.map((part) => `supabase/functions/${name}/${part}`));
      }
      const names = bundles.map(({ name }) => name);
      await deployFunctions(createSupabaseCli(projectRoot, env), { folder: target, names, projectRef });
    } finally {
      await Deno.remove(target, { recursive: true });
    }
  });
  return { ...deployment, bundled };
}

/** Deploys to a Management API on this machine; the CLI's environment lets it reach no other. */
async function withPlatform(deploy: (env: Record<string, string>) => Promise<void>): Promise<Deployment> {
  await using api = startManagementApi();
  const home = await Deno.makeTempDir({ prefix: "supabase-home-" });
  try {
    await deploy(await makeCliEnv(api, home));
    if (api.unanswered.length > 0) fail(`Not answered: ${api.unanswered.join(", ")}`);
    return { uploads: api.uploads, inService: api.inService };
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}
