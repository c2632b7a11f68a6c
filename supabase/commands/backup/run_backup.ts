import { CommandError, errorMessage, exitCodes, hideSecrets } from "../command_error.ts";
import { closeNewFiles } from "../../platform/data_folder.ts";
import type { ProgressLine } from "../../platform/progress_line.ts";
import { projectRoot } from "../../platform/state.ts";
import * as terminal from "../../platform/terminal.ts";
import { createSupabaseCli, readSecretKey } from "../deploy/supabase_cli.ts";
import { backUp } from "./back_up.ts";
import { type FileStores, openStores } from "./copy_files.ts";
import type { Manifest } from "./manifest.ts";
import { type BackupSettings, help, readBackupSettings } from "./read_backup_settings.ts";
import { restore } from "./restore.ts";

/** The environment of a backup or a restoration. */
export type BackupOptions = {
  env: Record<string, string>;
  /** The folder that relative names start from. */
  workingFolder: string;
  say: (text: string) => void;
  complain: (text: string) => void;
  progress: ProgressLine;
  /** Reads a secret key of a project with the access token; null if that is not allowed. */
  readKey: (projectRef: string) => Promise<string | null>;
};

/** Runs `npm run backup` or `npm run restore`, and returns the exit code. Never throws. */
export async function runBackup(
  command: "backup" | "restore",
  args: string[],
  options: BackupOptions,
): Promise<number> {
  const { env, say, complain, progress } = options;
  const hidden: (string | null | undefined)[] = [env.SUPABASE_DB_PASSWORD, env.SECRET_KEY, env.SUPABASE_ACCESS_TOKEN];
  try {
    const settings = readBackupSettings(command, args, options);
    if (settings === null) {
      say(help);
      return exitCodes.done;
    }
    hidden.push(settings.database.password, decodeURIComponent(settings.database.password));
    let opened: Promise<FileStores> | null = null;
    const stores = () => opened ??= openFiles(settings, options.readKey);
    const manifest = await { backup: backUp, restore }[command](settings, { progress, stores });
    progress.end();
    say(command === "backup" ? describeBackup(settings, manifest) : describeRestored(manifest));
    return exitCodes.done;
  } catch (error) {
    progress.end();
    complain(hideSecrets(errorMessage(error), hidden));
    return error instanceof CommandError ? error.exitCode : exitCodes.failed;
  }
}

async function openFiles(
  { projectUrl, projectRef, secretKey }: BackupSettings,
  readKey: BackupOptions["readKey"],
): Promise<FileStores> {
  if (projectUrl === null) throw new CommandError("For the files, set BASE_URL to the address of the project.");
  const key = secretKey ?? (projectRef === null ? null : await readKey(projectRef));
  if (key === null) throw new CommandError("For the files, set SECRET_KEY to a secret key of the project.");
  return openStores({ supabaseUrl: projectUrl, secretKey: key });
}

function describeBackup({ folder }: BackupSettings, manifest: Manifest): string {
  return `${folder} has ${describeContent(manifest)}.\n` +
    "Everything that people have written is in it, and who is signed in: keep it as safe as the database.\n" +
    `Not in it: ${describeMissing(manifest)}.`;
}

function describeRestored(manifest: Manifest): string {
  return `Restored: ${describeContent(manifest)}.\nStill to do, as a backup does not have it: ${
    describeMissing(manifest)
  }.`;
}

function describeContent({ tables, files }: Manifest): string {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  const size = files.reduce((sum, { size }) => sum + size, 0);
  return `${rows} rows in ${Object.keys(tables).length} tables and ${files.length} files (${
    (size / 1e6).toFixed(1)
  } MB)`;
}

function describeMissing({ vault }: Manifest): string {
  const secrets = vault.length > 0 ? `the secrets of the vault (${vault.join(", ")})` : "the secrets of the vault";
  return `${secrets}, those of the functions, and the settings of Auth`;
}

/** `npm run backup` and `npm run restore`: copy a project to a folder, and a folder to a project. */
if (import.meta.main) {
  closeNewFiles();
  const env = Deno.env.toObject();
  const [command, ...args] = Deno.args;
  const exitCode = await runBackup(command === "restore" ? "restore" : "backup", args, {
    env,
    // npm runs its scripts in the project's own folder.
    workingFolder: env.INIT_CWD || Deno.cwd(),
    say: terminal.say,
    complain: terminal.warn,
    progress: terminal.progressLine,
    readKey: (projectRef) => readSecretKey(createSupabaseCli(projectRoot, env), projectRef),
  });
  // After a failure, copies of other files may still be under way.
  Deno.exit(exitCode);
}
