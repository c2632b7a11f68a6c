import { join } from "node:path";
import { z } from "zod";
import type { DeploySettings } from "./read_deploy_settings.ts";
import { passwordVariables, type SupabaseCli } from "./supabase_cli.ts";

const history = z.array(z.object({ version: z.string(), name: z.string().nullable() }));

/**
 * The migrations of a database that the project in a folder does not have, in order, as the names of their files. Never
 * rejects: a history that cannot be read counts as empty.
 */
export async function findUnknownMigrations(
  root: string,
  cli: SupabaseCli,
  { remote, password }: DeploySettings["database"],
): Promise<string[]> {
  const query = "select version, name from supabase_migrations.schema_migrations order by version";
  try {
    const applied = await cli(
      ["db", "query", query, "--read-only", `--remote=${remote}`],
      history,
      passwordVariables(password),
    );
    const versions = new Set(
      Array.from(Deno.readDirSync(join(root, "supabase/migrations")), ({ name }) => name.split("_")[0]),
    );
    return applied.filter(({ version }) => !versions.has(version)).map(({ version, name }) => `${version}_${name}`);
  } catch {
    return [];
  }
}
