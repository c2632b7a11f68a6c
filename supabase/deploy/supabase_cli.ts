import { join } from "deno-std/path/mod.js";
import { CommandError } from "../command_error.ts";

/** Runs a command of the Supabase CLI. @throws {CommandError} with what it says when it fails. */
export type SupabaseCli = (args: string[], env?: Record<string, string>) => Promise<CliReply>;

/** What a command that succeeded said. */
export type CliReply = {
  // deno-lint-ignore no-explicit-any
  json: any;
  /** What it told besides. */
  lines: string[];
};

/** The project's own CLI, in a folder, with an environment. A command that runs when the signal is aborted is ended. */
export function createSupabaseCli(root: string, env: Record<string, string>, signal?: AbortSignal): SupabaseCli {
  return async (args, more = {}) => {
    const { success, stdout, stderr } = await new Deno.Command(join(root, "node_modules/.bin/supabase"), {
      args: [...args, "--output-format=json", "--agent=no", "--yes"],
      cwd: root,
      clearEnv: true,
      env: { ...env, SUPABASE_NO_UPDATE_NOTIFIER: "1", ...more },
      stdin: "null",
      signal,
    }).output();
    signal?.throwIfAborted();
    const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
    const lines = decode(stderr).split("\n").filter((line) => line !== "");
    const json = readJson(decode(stdout));
    if (success && json !== null) return { json, lines };
    throw new CommandError(describeFailure(json, [...lines, ...(json === null ? [decode(stdout)] : [])]));
  };
}

/** What lets a command of the CLI into the database. */
export function passwordVariables(password: string | null): Record<string, string> {
  return password === null ? {} : { PGPASSWORD: password, SUPABASE_DB_PASSWORD: password };
}

// deno-lint-ignore no-explicit-any
function readJson(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Lines that say nothing about a failure. */
const chatter = /^(Uploading asset|Deploying Function|Confirmed by --yes|Target:|DRY RUN|Try rerunning)/;

/** What a failed command said: the reason first, then how to mend it, then where it was. */
export function describeFailure(
  json: { error?: { message?: string; suggestion?: string } } | null,
  lines: string[],
): string {
  const { message, suggestion } = json?.error ?? {};
  const lastMigration = lines.findLast((line) => line.startsWith("Applying migration"));
  const told = lines.filter((line) => !chatter.test(line))
    .filter((line) => line === lastMigration || !line.startsWith("Applying migration")).slice(-10);
  const parts = [message, suggestion, ...told].filter((part) => part !== undefined && part !== "");
  return [...new Set(parts)].join("\n") || "The Supabase CLI failed without saying why.";
}
