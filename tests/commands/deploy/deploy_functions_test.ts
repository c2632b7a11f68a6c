import { join } from "node:path";
import { CommandError } from "../../../supabase/commands/command_error.ts";
import { deployFunctions } from "../../../supabase/commands/deploy/deploy_functions.ts";
import { createSupabaseCli } from "../../../supabase/commands/deploy/supabase_cli.ts";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assertEquals, assertRejects } from "../../support/assert.ts";
import { makeCliEnv, projectRef, startManagementApi } from "./management_api.ts";

Deno.test("functions that are deployed", async (t) => {
  await using api = startManagementApi();
  await using stack = new AsyncDisposableStack();
  const [home, folder] = [await Deno.makeTempDir(), await Deno.makeTempDir()];
  for (const path of [home, folder]) stack.defer(() => Deno.remove(path, { recursive: true }));
  const cli = createSupabaseCli(projectRoot, await makeCliEnv(api, home));
  for (const name of ["one", "two"]) {
    await Deno.mkdir(join(folder, "supabase/functions", name), { recursive: true });
    await Deno.writeTextFile(join(folder, "supabase/functions", name, "index.js"), "Deno.serve(() => new Response());");
  }
  const section = (name: string) => `[functions.${name}]\nentrypoint = "./functions/${name}/index.js"\n`;
  await Deno.writeTextFile(join(folder, "supabase/config.toml"), section("one") + section("two"));

  await t.step("are in service", async () => {
    await deployFunctions(cli, { folder, names: ["one", "two"], projectRef });
    assertEquals(api.inService.toSorted(), ["one", "two"]);
  });

  await t.step("are checked: when the CLI leaves one out and reports success, an error says so", async () => {
    const deploying = deployFunctions(cli, { folder, names: ["one", "three", "two"], projectRef });
    const error = await assertRejects(() => deploying, CommandError);
    assertEquals(error.message, "Not deployed: three");
  });

  await t.step("are checked: when the platform refuses one, an error says so", async () => {
    api.refused = "two";
    const deploying = deployFunctions(cli, { folder, names: ["one", "two"], projectRef });
    await assertRejects(() => deploying, CommandError, "No room for two");
  });
});
