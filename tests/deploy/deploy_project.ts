import { fail } from "deno-std/assert/mod.js";
import { join } from "deno-std/path/mod.js";
import { projectRoot } from "../../supabase/local/state.ts";
import { runCommand } from "../support/run_command.ts";
import { makeCliEnv, projectRef, startManagementApi, type Upload } from "./management_api.ts";

/** What a deployment has left behind at the platform. */
export type Deployment = { uploads: Upload[]; inService: string[] };

/** Deploys the functions of the project in a folder, with the Supabase CLI, to a Management API of this machine. */
export async function deployProject(folder: string): Promise<Deployment> {
  await using api = startManagementApi();
  const home = await Deno.makeTempDir({ prefix: "supabase-home-" });
  try {
    const { code, stdout, stderr } = await runCommand(
      join(projectRoot, "node_modules/.bin/supabase"),
      ["functions", "deploy", "--use-api", "--yes", `--remote=${projectRef}`],
      {
        cwd: folder,
        clearEnv: true,
        env: { ...await makeCliEnv(api, home), SUPABASE_NO_UPDATE_NOTIFIER: "1" },
      },
    );
    if (code !== 0 || api.unanswered.length > 0) {
      const unanswered = api.unanswered.join(", ") || "nothing";
      fail(`The CLI ended with code ${code}. Not answered: ${unanswered}\n${stdout}\n${stderr}`);
    }
    return { uploads: api.uploads, inService: api.inService };
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}
