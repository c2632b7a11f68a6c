import { CommandError } from "../command_error.ts";
import type { SupabaseCli } from "./supabase_cli.ts";

/** Where functions are deployed from, which, and to which project. */
type Deployment = { folder: string; names: string[]; projectRef: string };

/**
 * Deploys the functions of a folder that `makeUpload` made. The platform takes them as they are: nothing is left
 * to bundle.
 *
 * @throws {CommandError} with what the CLI says, and when a function is missing from what it deployed.
 */
export async function deployFunctions(cli: SupabaseCli, { folder, names, projectRef }: Deployment): Promise<void> {
  const { json } = await cli(["functions", "deploy", "--use-api", `--remote=${projectRef}`, "--workdir", folder]);
  // The CLI calls it a success all the same.
  const absent = names.filter((name) => !json.functions?.includes(name));
  if (absent.length > 0) throw new CommandError(`Not deployed: ${absent.join(", ")}`);
}
