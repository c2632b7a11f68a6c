/** `npm run backup` and `npm run restore`: copy a project to a folder, and a folder to a project. */
import { closeNewFiles } from "../../platform/data_folder.ts";
import { projectRoot } from "../../platform/state.ts";
import { progressLine, say, warn } from "../../platform/terminal.ts";
import { createSupabaseCli, readSecretKey } from "../deploy/supabase_cli.ts";
import { runBackup } from "./run_backup.ts";

closeNewFiles();
const env = Deno.env.toObject();
const [command, ...args] = Deno.args;
const exitCode = await runBackup(command === "restore" ? "restore" : "backup", args, {
  env,
  // npm runs its scripts in the project's own folder.
  workingFolder: env.INIT_CWD || Deno.cwd(),
  say,
  complain: warn,
  progress: progressLine,
  readKey: (projectRef) => readSecretKey(createSupabaseCli(projectRoot, env), projectRef),
});
// After a failure, copies of other files may still be under way.
Deno.exit(exitCode);
