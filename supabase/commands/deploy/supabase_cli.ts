import { join } from "node:path";
import { z } from "zod";
import { readJson } from "../../../shared/libs/base/fields_of.ts";
import { CommandError } from "../command_error.ts";

/** Runs the Supabase CLI, and returns its JSON, parsed. @throws {CommandError} with its message when it fails */
export type SupabaseCli = <Reply>(
  args: string[],
  reply: z.ZodType<Reply>,
  env?: Record<string, string>,
) => Promise<Reply>;

/** The project's own CLI, run in a folder with an environment. Aborting the signal ends a running command. */
export function createSupabaseCli(root: string, env: Record<string, string>, signal?: AbortSignal): SupabaseCli {
  return async (args, reply, more = {}) => {
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
    const json = readJson(decode(stdout)) ?? null;
    if (!success || json === null) {
      throw new CommandError(describeFailure(json, [...lines, ...(json === null ? [decode(stdout)] : [])]));
    }
    const { data, error } = reply.safeParse(json);
    if (error) {
      const command = args.slice(0, 2).join(" ");
      throw new CommandError(`The reply of supabase ${command} cannot be read:\n${z.prettifyError(error)}`);
    }
    return data;
  };
}

/** The variables that give a command of the CLI access to the database. */
export function passwordVariables(password: string | null): Record<string, string> {
  return password === null ? {} : { PGPASSWORD: password, SUPABASE_DB_PASSWORD: password };
}

/** The address of a database for the CLI, and the password, which is passed in its environment. */
export type Database = { remote: string; password: string | null };

/** Runs a statement that only reads, and returns its rows. @throws {CommandError} as the CLI does. */
export function queryDatabase<Row>(
  cli: SupabaseCli,
  { remote, password }: Database,
  sql: string,
  row: z.ZodType<Row>,
): Promise<Row[]> {
  const args = ["db", "query", sql, "--read-only", `--remote=${remote}`];
  return cli(args, z.array(row), passwordVariables(password));
}

const failure = z.object({ error: z.object({ message: z.string().nullish(), suggestion: z.string().nullish() }) });

/** Lines that say nothing about a failure. The CLI does not mark them; one that is reworded is only shown. */
const chatter = /^(Uploading asset|Deploying Function|Confirmed by --yes|Target:|DRY RUN|Try rerunning)/;

/** Describes a failed command: first the reason, then the remedy, then the place. */
function describeFailure(json: unknown, lines: string[]): string {
  const { message, suggestion } = failure.safeParse(json).data?.error ?? {};
  const lastMigration = lines.findLast((line) => line.startsWith("Applying migration"));
  const told = lines.filter((line) => !chatter.test(line))
    .filter((line) => line === lastMigration || !line.startsWith("Applying migration")).slice(-10);
  const parts = [message, suggestion, ...told].filter((part) => Boolean(part));
  return [...new Set(parts)].join("\n") || "The Supabase CLI failed without a reason.";
}

/** Returns whether a text is the reference of a project on the platform: the first part of its address. */
export function isProjectRef(text: string): boolean {
  return /^[a-z]{20}$/.test(text);
}

/** The address of a project on the platform. */
export function urlOfProject(ref: string): string {
  return `https://${ref}.supabase.co`;
}

const projectKeys = z.object({
  keys: z.array(z.object({ api_key: z.string().nullish(), type: z.string().nullish(), name: z.string().nullish() })),
});

/** A secret key of a project; null if the access token may not read one, or if there is none. */
export function readSecretKey(cli: SupabaseCli, projectRef: string): Promise<string | null> {
  return readProjectKey(cli, projectRef, { type: "secret", name: "service_role" });
}

/** The publishable key of a project, or its anon key; null as above. */
export function readPublishableKey(cli: SupabaseCli, projectRef: string): Promise<string | null> {
  return readProjectKey(cli, projectRef, { type: "publishable", name: "anon" });
}

async function readProjectKey(
  cli: SupabaseCli,
  projectRef: string,
  wanted: { type: string; name: string },
): Promise<string | null> {
  try {
    const { keys } = await cli(["projects", "api-keys", "--reveal", `--remote=${projectRef}`], projectKeys);
    // Of a key that the token may not see, only the beginning is shown.
    const revealed = keys.filter(({ api_key }) => /^(sb_[a-z]+_[\w-]+|eyJ[\w.-]+)$/.test(api_key ?? ""));
    const found = revealed.find(({ type }) => type === wanted.type) ??
      revealed.find(({ name }) => name === wanted.name);
    return found?.api_key ?? null;
  } catch {
    return null;
  }
}
