import { parseArgs } from "node:util";
import { CommandError, exitCodes } from "../command_error.ts";
import { errorMessage } from "../error_message.ts";

/** What `npm run deploy` is asked to do. */
export type DeploySettings = {
  projectRef: string;
  /** The file with the secrets; null means the usual one, where there is one. */
  envFile: string | null;
  /** Nobody is asked before it begins. */
  isConfirmed: boolean;
  /** How the CLI finds the database, and the password that it gets through its environment. */
  database: { remote: string; password: string | null };
  smoke: { url: string; secretKey: string | null };
};

/** The file that secrets are read from when none is named. */
export const usualEnvFile = ".env.production";

/** What `--help` says. */
export const help = `npm run deploy -- <project ref> [--env-file ${usualEnvFile}] [--yes]

Deploys this service to a Supabase project: links it, pushes the migrations, sets the secrets
from a file, bundles and deploys every function, and tries whether the service does its work. It
says first what it is about to do, and asks. It can be run again at any time.

  --env-file FILE  the secrets, a line NAME=value each; ${usualEnvFile} if there is one.
                   Without a file the project's secrets stay as they are.
  --yes            do not ask
  --help           this text

Passwords and keys come from the environment:

  SUPABASE_ACCESS_TOKEN  of supabase.com/dashboard/account/tokens; not needed after npx supabase login
  SUPABASE_DB_PASSWORD   the database's password; without it the access token must be allowed to
                         make a login for the database
  DATABASE_URL           the database by its address, where the usual one cannot be reached
  SMOKE_SECRET_KEY       a secret key of the project, for an account that is made at the end to try everything and
                         removed again; not needed where the access token may read the project's keys
  SMOKE_URL              the project's address, where it is not https://<project ref>.supabase.co

Ends with 0 when all is done, 1 when a step or the smoke test failed, 2 when called wrongly,
130 when declined or interrupted.`;

/**
 * Reads the command line and the environment.
 *
 * @returns null when help is asked for.
 * @throws {CommandError} that says what is wrong with them.
 */
export function readDeploySettings(args: string[], env: Record<string, string>): DeploySettings | null {
  const { values, positionals: [projectRef, ...others] } = readArguments(args);
  if (values.help) return null;
  if (projectRef === undefined) refuse("Which project? Its reference is the first part of its address.");
  if (others.length > 0) refuse(`One project at a time: ${others.join(" ")} is too much.`);
  if (!/^[a-z]{20}$/.test(projectRef)) refuse(`${projectRef} is no project reference, which has 20 small letters.`);
  return {
    projectRef,
    envFile: values["env-file"] ?? null,
    isConfirmed: values.yes ?? false,
    database: readDatabase(projectRef, env),
    smoke: {
      url: (env.SMOKE_URL || `https://${projectRef}.supabase.co`).replace(/\/+$/, ""),
      secretKey: env.SMOKE_SECRET_KEY || null,
    },
  };
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { "env-file": { type: "string" }, yes: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    });
  } catch (error) {
    return refuse(errorMessage(error));
  }
}

/** Takes the password out of the address: arguments of a process can be read by everybody on the machine. */
function readDatabase(projectRef: string, env: Record<string, string>): DeploySettings["database"] {
  const ownPassword = env.SUPABASE_DB_PASSWORD || null;
  if (!env.DATABASE_URL) return { remote: projectRef, password: ownPassword };
  const url = URL.parse(env.DATABASE_URL);
  // Where a password ends the address too early, its first part passes for a port and there is no user.
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.username === "") {
    refuse("DATABASE_URL is no address of a database. A password in it has to be percent-encoded.");
  }
  const password = decodePassword(url.password);
  url.password = "";
  // It may be left over from other work.
  if (!url.href.includes(projectRef)) {
    refuse(`DATABASE_URL is the database of another project: neither its host nor its user names ${projectRef}.`);
  }
  return { remote: url.href, password: password || ownPassword };
}

function decodePassword(encoded: string): string {
  try {
    const password = decodeURIComponent(encoded);
    // As the dashboard offers it for copying.
    return password === "[YOUR-PASSWORD]" ? "" : password;
  } catch {
    return refuse("The password in DATABASE_URL is not percent-encoded as it has to be.");
  }
}

function refuse(sentence: string): never {
  throw new CommandError(`${sentence}\nnpm run deploy -- --help says more.`, exitCodes.calledWrongly);
}
