import { join } from "node:path";
import { projectRoot } from "../../supabase/platform/state.ts";
import { type CommandOutput, runCommand } from "./run_command.ts";

/** The project's Supabase CLI with a temporary home folder, so that it reads and leaves nothing elsewhere. */
export type SupabaseCli = AsyncDisposable & {
  /** Runs a command against a database. */
  run(databaseUrl: string, ...args: string[]): Promise<CommandOutput>;
  /** Runs a command and parses its JSON. @throws {Error} when it fails. */
  // deno-lint-ignore no-explicit-any
  ask(databaseUrl: string, ...args: string[]): Promise<any>;
  /** Runs one SQL statement. @throws {Error} when it fails. */
  executeOne(databaseUrl: string, statement: string): Promise<void>;
  /** Runs any number of SQL statements, in one transaction. @throws {Error} when one fails. */
  execute(databaseUrl: string, statements: string): Promise<void>;
};

/** Sets up the CLI with this project's configuration and seed, and with its migrations or those in another folder. */
export async function createSupabaseCli(
  migrations = join(projectRoot, "supabase/migrations"),
): Promise<SupabaseCli> {
  const home = await Deno.makeTempDir({ prefix: "human-intelligence-chat-cli-" });
  await Deno.mkdir(join(home, "supabase"));
  // A copy, since the CLI writes files beside its configuration.
  for (const name of ["config.toml", "seed.sql"]) {
    await Deno.symlink(join(projectRoot, "supabase", name), join(home, "supabase", name));
  }
  await Deno.symlink(migrations, join(home, "supabase/migrations"));

  function run(databaseUrl: string, ...args: string[]): Promise<CommandOutput> {
    return runCommand(
      join(projectRoot, "node_modules/.bin/supabase"),
      [...args, `--remote=${databaseUrl}`, "--agent=no"],
      {
        cwd: home,
        clearEnv: true,
        env: { PATH: Deno.env.get("PATH") ?? "", HOME: home, SUPABASE_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
      },
    );
  }

  async function demand(databaseUrl: string, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(databaseUrl, ...args, "--output-format=json", "--yes");
    if (code !== 0) throw new Error(`supabase ${args.join(" ")} failed:\n${stdout}\n${stderr}`);
    return stdout;
  }

  async function executeOne(databaseUrl: string, statement: string) {
    await demand(databaseUrl, "db", "query", statement);
  }

  return {
    run,
    ask: async (databaseUrl, ...args) => JSON.parse(await demand(databaseUrl, ...args)),
    executeOne,
    execute: (databaseUrl, statements) =>
      executeOne(databaseUrl, `do $all$ begin execute $statements$${statements}$statements$; end $all$`),
    async [Symbol.asyncDispose]() {
      await Deno.remove(home, { recursive: true });
    },
  };
}
