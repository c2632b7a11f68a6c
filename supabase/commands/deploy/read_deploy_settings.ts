import { readArguments, refuseCall } from "../command_error.ts";
import { type Database, isProjectRef, urlOfProject } from "./supabase_cli.ts";

/** The settings of `npm run deploy`. */
export type DeploySettings = {
  projectRef: string;
  /** The file with the secrets; null means the default one, if it exists. */
  envFile: string | null;
  /** The file with the answers for the set-up; null means the one that is kept for the project. */
  answersFile: string | null;
  /** True to deploy nothing, and go on with the set-up. */
  isSetUpOnly: boolean;
  /** True to start without a confirmation. */
  isConfirmed: boolean;
  database: Database;
  smoke: { url: string; secretKey: string | null };
};

/** The default file of the secrets. */
export const usualEnvFile = ".env.production";

/** The text of `--help`. */
export const help =
  `npm run deploy -- <project ref> [--env-file ${usualEnvFile}] [--answers FILE] [--setup-only] [--yes]

Deploys this service to a Supabase project. It shows the plan and asks for confirmation. Then it links
the project, pushes the migrations, sets the secrets, deploys every function, and tests the service.
At the end it sets up the rest, such as Auth, an account, its first expert, keys and pages, and lists
what remains. It can be run again at any time, and then goes on where it stopped.

  --env-file FILE  a file with the secrets, one NAME=value on each line; default: ${usualEnvFile},
                   if that exists. Without a file, the project's secrets do not change.
  --answers FILE   answers for the set-up, as JSON: account, persona, expert, pages, pagesFolder,
                   anonymousVisitors, mail, aiClients (supabase/docs/deploying.md). Without a file, they
                   are asked at the terminal and kept in .env.<project ref>.json.
  --setup-only     deploy nothing: go on with the set-up
  --yes            skip the confirmation and the questions
  --help           show this text

Passwords and keys are read from the environment:

  SUPABASE_ACCESS_TOKEN  from supabase.com/dashboard/account/tokens; not needed after npx supabase login
  SUPABASE_DB_PASSWORD   the database's password; without it, the access token must be allowed to
                         create a login for the database
  DATABASE_URL           the address of the database, if the default one cannot be reached
  SMOKE_SECRET_KEY       a secret key of the project, used to create an account for the test and to remove it;
                         not needed if the access token may read the project's keys
  SMOKE_URL              the project's address, if it is not https://<project ref>.supabase.co

Exit codes: 0 done, 1 a step or the smoke test failed, 2 wrong usage, 130 declined or interrupted.`;

/** Reads the command line and the environment; null for `--help`. @throws {CommandError} saying what is wrong */
export function readDeploySettings(args: string[], env: Record<string, string>): DeploySettings | null {
  const { values, positionals: [projectRef, ...others] } = readArguments("deploy", args, {
    "env-file": { type: "string" },
    answers: { type: "string" },
    "setup-only": { type: "boolean" },
    yes: { type: "boolean" },
  });
  if (values.help) return null;
  if (projectRef === undefined) {
    refuse("The project reference is missing. It is the first part of the project's address.");
  }
  if (others.length > 0) refuse(`Only one project can be deployed to at a time: ${others.join(" ")} is unexpected.`);
  if (!isProjectRef(projectRef)) {
    refuse(`${projectRef} is not a project reference, which consists of 20 lowercase letters.`);
  }
  return {
    projectRef,
    envFile: values["env-file"] ?? null,
    answersFile: values.answers ?? null,
    isSetUpOnly: values["setup-only"] ?? false,
    isConfirmed: values.yes ?? false,
    database: readDatabase(projectRef, env),
    smoke: {
      url: (env.SMOKE_URL || urlOfProject(projectRef)).replace(/\/+$/, ""),
      secretKey: env.SMOKE_SECRET_KEY || null,
    },
  };
}

/** Takes the password out of the address: all users of the machine can see a process's arguments. */
function readDatabase(projectRef: string, env: Record<string, string>): Database {
  const ownPassword = env.SUPABASE_DB_PASSWORD || null;
  if (!env.DATABASE_URL) return { remote: projectRef, password: ownPassword };
  const url = URL.parse(env.DATABASE_URL);
  // A slash in a password ends the host too early: the address then seems to have a port, but no user.
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.username === "") {
    refuse("DATABASE_URL is not the address of a database. A password in it must be percent-encoded.");
  }
  const password = decodePassword(url.password);
  url.password = "";
  // The variable may be left over from another project.
  if (!url.href.includes(projectRef)) {
    refuse(`DATABASE_URL is the database of another project: neither its host nor its user contains ${projectRef}.`);
  }
  return { remote: url.href, password: password || ownPassword };
}

function decodePassword(encoded: string): string {
  try {
    const password = decodeURIComponent(encoded);
    // The dashboard offers the address with this in place of the password.
    return password === "[YOUR-PASSWORD]" ? "" : password;
  } catch {
    return refuse("The password in DATABASE_URL is not percent-encoded correctly.");
  }
}

function refuse(sentence: string): never {
  refuseCall("deploy", sentence);
}
