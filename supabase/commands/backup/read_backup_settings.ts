import { isAbsolute, join } from "node:path";
import { readArguments, refuseCall } from "../command_error.ts";
import { isThisMachine } from "../../platform/local_address.ts";
import { isProjectRef, urlOfProject } from "../deploy/supabase_cli.ts";

/** The settings of `npm run backup` and `npm run restore`. */
export type BackupSettings = {
  /** The address of the database, with the password. */
  database: URL;
  /** The project on the platform; null for another database. */
  projectRef: string | null;
  /** The address of its Storage; null if it is not known. */
  projectUrl: string | null;
  secretKey: string | null;
  folder: string;
};

/** The text of `--help` of both commands. */
export const help = `npm run backup -- <project ref | DATABASE_URL> [--folder FOLDER]
npm run restore -- <project ref | DATABASE_URL> --folder FOLDER

backup copies all rows of the service, the users of Auth, and the files of both buckets to a folder that
only you can read. Run it again after an interruption, or for a newer state: files that are there are
not fetched again.
restore brings a backup into a project that was deployed in the same version and is still empty. It
copies the files first and the rows last, all of them or none. Run it again after an interruption.

  --folder FOLDER  the folder of the backup; default of backup: backup/<project ref>
  --help           show this text

The environment has what is secret:

  SUPABASE_DB_PASSWORD   the password of the database, unless it is in the address
  SECRET_KEY             a secret key of the project, for its files; not needed on the platform if
                         SUPABASE_ACCESS_TOKEN, or npx supabase login, lets the project's keys be read
  BASE_URL               the address of the project, for its files; needed only elsewhere
  DATABASE_URL           with a project ref: the address of its database, if the default one cannot be reached

Exit codes: 0 done, 1 it failed, 2 wrong usage.`;

/** Reads the command line and the environment; null for `--help`. @throws {CommandError} saying what is wrong */
export function readBackupSettings(
  command: "backup" | "restore",
  args: string[],
  { env, workingFolder }: { env: Record<string, string>; workingFolder: string },
): BackupSettings | null {
  const { values, positionals: [project, ...others] } = readArguments("backup", args, { folder: { type: "string" } });
  if (values.help) return null;
  if (project === undefined) refuse("The project is missing: its reference, or the address of its database.");
  if (others.length > 0) refuse("Only one project can be named at a time.");
  const isRef = isProjectRef(project);
  const database = readAddress(isRef ? env.DATABASE_URL || defaultAddress(project) : project);
  const projectRef = findRef(database);
  if (isRef && projectRef !== project) {
    refuse(`DATABASE_URL is the database of another project: neither its host nor its user contains ${project}.`);
  }
  if (database.password === "" && env.SUPABASE_DB_PASSWORD) {
    database.password = encodeURIComponent(env.SUPABASE_DB_PASSWORD);
  }
  const folder = values.folder ?? (command === "backup" ? `backup/${projectRef ?? database.hostname}` : null);
  if (folder === null) refuse("--folder is missing: the folder of the backup.");
  return {
    database,
    projectRef,
    // That of BASE_URL may be left over from another project.
    projectUrl: projectRef === null ? env.BASE_URL?.replace(/\/+$/, "") || null : urlOfProject(projectRef),
    secretKey: env.SECRET_KEY || null,
    folder: isAbsolute(folder) ? folder : join(workingFolder, folder),
  };
}

function defaultAddress(projectRef: string): string {
  return `postgresql://postgres@db.${projectRef}.supabase.co:5432/postgres`;
}

/** Other machines are reached over TLS, unless the address says otherwise. `sslmode` means what it means to psql. */
function readAddress(text: string): URL {
  const url = URL.parse(text);
  // A slash in a password ends the host too early: the address then seems to have a port, but no user.
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.username === "") {
    // The text may have a password in it.
    refuse(
      "This is neither a project reference, which consists of 20 lowercase letters, nor the address of a\n" +
        "database, postgresql://user@host:5432/postgres. A password in an address must be percent-encoded.",
    );
  }
  // The dashboard offers the address with this in place of the password.
  if (decodeURIComponent(url.password) === "[YOUR-PASSWORD]") url.password = "";
  const isHere = isThisMachine(Object.assign(new URL("http://host"), { hostname: url.hostname }));
  if (!url.searchParams.has("sslmode")) url.searchParams.set("sslmode", isHere ? "disable" : "require");
  url.searchParams.set("uselibpqcompat", "true");
  return url;
}

/** The project on the platform that a database belongs to. */
function findRef({ hostname, username }: URL): string | null {
  const [, ref] = /^db\.([a-z]{20})\.supabase\.co$/.exec(hostname) ??
    (hostname.endsWith(".supabase.com") ? /\.([a-z]{20})$/.exec(username) : null) ?? [];
  return ref ?? null;
}

function refuse(sentence: string): never {
  refuseCall("backup", sentence);
}
