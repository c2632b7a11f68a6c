import { join } from "node:path";
import { z } from "zod";
import type { DeploySettings } from "./read_deploy_settings.ts";
import { passwordVariables, type SupabaseCli } from "./supabase_cli.ts";
import { createTempFolder } from "./run_deno.ts";

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

/** Stores in the vault which of both it lacks. What it has stays as it is. @throws {CommandError} if it cannot. */
export async function startClock(
  cli: SupabaseCli,
  { remote, password }: DeploySettings["database"],
  { url, secretKey }: { url: string; secretKey: string },
): Promise<void> {
  // In a file, as all users of the machine can see a process's arguments. Neither value can have a quote in it.
  await using temp = await createTempFolder();
  const file = join(temp.folder, "clock.sql");
  const statements = [["project_url", url], ["secret_key", secretKey]].map(([name, value]) =>
    `select vault.create_secret('${value!.replaceAll("'", "''")}', '${name}')
     where not exists (select from vault.secrets where name = '${name}')`
  );
  await Deno.writeTextFile(file, statements.join("\nunion all\n"), { mode: 0o600 });
  await cli(["db", "query", "--file", file, `--remote=${remote}`], z.unknown(), passwordVariables(password));
}
