import { fail } from "deno-std/assert/mod.js";
import { join } from "deno-std/path/mod.js";
import { projectRoot } from "../../supabase/local/state.ts";
import { startManagementApi, type Upload } from "./management_api.ts";

/** What a deployment has left behind at the platform. */
export type Deployment = { uploads: Upload[]; inService: string[] };

const projectRef = "abcdefghijklmnopqrst";
const accessToken = `sbp_${"0".repeat(40)}`;

/** Deploys the functions of the project in a folder, with the Supabase CLI, to a Management API of this machine. */
export async function deployProject(folder: string): Promise<Deployment> {
  await using api = startManagementApi(projectRef, accessToken);
  const home = await Deno.makeTempDir({ prefix: "supabase-home-" });
  try {
    const profile = join(home, "profile.yaml");
    await Deno.writeTextFile(
      profile,
      `name: test\napi_url: ${api.url}\ndashboard_url: ${api.url}\nproject_host: supabase.test\n`,
    );
    const { code, stdout, stderr } = await new Deno.Command(join(projectRoot, "node_modules/.bin/supabase"), {
      args: ["functions", "deploy", "--use-api", "--yes", `--remote=${projectRef}`, "--profile", profile],
      cwd: folder,
      // Nothing of this machine gets into the deployment, and nothing of the deployment off this machine.
      clearEnv: true,
      env: {
        PATH: Deno.env.get("PATH") ?? "",
        HOME: home,
        SUPABASE_ACCESS_TOKEN: accessToken,
        SUPABASE_TELEMETRY_DISABLED: "1",
        SUPABASE_NO_UPDATE_NOTIFIER: "1",
      },
      stdin: "null",
    }).output();
    if (code !== 0 || api.unanswered.length > 0) {
      const printed = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n");
      fail(`The CLI ended with code ${code}. Not answered: ${api.unanswered.join(", ") || "nothing"}\n${printed}`);
    }
    return { uploads: api.uploads, inService: api.inService };
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}
