/** `npm run package`: builds the packages for npm, packs them, and prints the paths of the archives. */
import { join } from "node:path";
import { runProgram } from "../command_error.ts";
import { projectRoot } from "../../platform/state.ts";
import { buildClient } from "./client/build_client.ts";
import { buildElements } from "./elements/build_elements.ts";
import { packPackage } from "./package_folder.ts";

await runProgram(async () => {
  const folder = join(projectRoot, "supabase/.temp/packages");
  for (const [name, build] of Object.entries({ client: buildClient, elements: buildElements })) {
    await build(join(folder, name));
    console.log(await packPackage(join(folder, name)));
  }
});
