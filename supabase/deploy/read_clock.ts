import { z } from "zod";
import type { DeploySettings } from "./read_deploy_settings.ts";
import { passwordVariables, type SupabaseCli } from "./supabase_cli.ts";

/** What the database's clock calls the indexer with, by its names in the vault. */
const names = ["project_url", "secret_key"];

/** Whether the vault has it. Never rejects: where the vault cannot be looked into, it counts as empty. */
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

/** The SQL that gives the clock what it needs. The secret key is to be put in by whoever pastes it. */
export function showClockSql(url: string): string {
  return `  select vault.create_secret('${url}', 'project_url');\n` +
    "  select vault.create_secret('sb_secret_…', 'secret_key');";
}
