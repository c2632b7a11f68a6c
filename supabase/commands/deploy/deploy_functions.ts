import { z } from "zod";
import { CommandError } from "../command_error.ts";
import type { SupabaseCli } from "./supabase_cli.ts";

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
