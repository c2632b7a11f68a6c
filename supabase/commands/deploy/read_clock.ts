import { z } from "zod";
import type { DeploySettings } from "./read_deploy_settings.ts";
import { passwordVariables, type SupabaseCli } from "./supabase_cli.ts";

/** The names in the vault of the address and the key with which pg_cron calls the indexer. */
const names = ["project_url", "secret_key"];

/** Returns true if the vault has both. Never rejects: a vault that cannot be read counts as empty. */
export async function readClock(cli: SupabaseCli, { remote, password }: DeploySettings["database"]): Promise<boolean> {
  const query = `select name from vault.secrets where name in (${names.map((name) => `'${name}'`).join(", ")})`;
  try {
    const rows = await cli(
      ["db", "query", query, "--read-only", `--remote=${remote}`],
      z.array(z.object({ name: z.string() })),
      passwordVariables(password),
    );
    return names.every((name) => rows.some((row) => row.name === name));
  } catch {
    return false;
  }
}

/** The SQL that stores both. The person who pastes it replaces the secret key. */
export function showClockSql(url: string): string {
  return `  select vault.create_secret('${url}', 'project_url');\n` +
    "  select vault.create_secret('sb_secret_…', 'secret_key');";
}
