import { join } from "node:path";
import { lockFunctions } from "../../../supabase/commands/deploy/lock_functions.ts";
import { findEdgeDeno } from "../../../supabase/platform/edge_runtime/edge_deno.ts";
import { edgeDenoEnv } from "../../../supabase/platform/edge_runtime/worker.ts";
import { listFunctions } from "../../../supabase/platform/list_functions.ts";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assertEquals } from "../../support/assert.ts";
import { copyProject } from "../../support/local_stack.ts";
import { runCommand } from "../../support/run_command.ts";
import { nightlyStep } from "../../support/slow.ts";

/** The configuration of the functions, by path. */
async function readConfigs(root: string): Promise<Record<string, string>> {
  const paths = listFunctions(root).flatMap((name) => ["json", "lock"].map((end) => `functions/${name}/deno.${end}`));
  paths.push("shared/libs/telemetry/serialize_spans.js");
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await Deno.readTextFile(join(root, path))])),
  );
}

Deno.test("the configuration of every function is up to date; if not, run npm run lock", async (t) => {
  const folder = await copyProject();
  try {
    await lockFunctions(folder);
    const written = await readConfigs(folder);
    assertEquals(await readConfigs(projectRoot), written);

    await t.step("with the versions in the project's lock file, also of indirect packages", async () => {
      const read = async (path: string) => JSON.parse(await Deno.readTextFile(join(projectRoot, path)));
      const [{ imports }, { npm }] = [await read("deno.json"), await read("deno.lock")];
      for (const [path, text] of Object.entries(written)) {
        if (path.endsWith(".js")) continue;
        const config = JSON.parse(text);
        for (const [name, specifier] of Object.entries(config.imports ?? {})) {
          assertEquals(specifier, imports[name], path);
        }
        for (const [id, { integrity }] of Object.entries<{ integrity: string }>(config.npm ?? {})) {
          assertEquals(integrity, npm[id]?.integrity, `${path}: ${id}`);
        }
      }
    });

    await t.step("without packages that this function does not load", () => {
      const users = written["functions/users/deno.lock"]!;
      assertEquals(
        ["hono@", "openai@", "unpdf@", "@modelcontextprotocol/"].filter((id) => users.includes(id)),
        [
          "hono@",
          "openai@",
        ],
      );
    });

    await nightlyStep(
      t,
      "with packages of types too, which Deno looks for when a function starts from its source",
      async () => {
        const missing = await Promise.all(
          listFunctions().map(async (name) => {
            const config = `--config=functions/${name}/deno.json`;
            // Ignore type errors here: this Deno is older than the compiler for which the types are written.
            const { stderr } = await runCommand(findEdgeDeno(), [
              "check",
              "--no-lock",
              config,
              `functions/${name}/index.ts`,
            ], {
              cwd: projectRoot,
              env: { ...edgeDenoEnv, NO_COLOR: "1" },
            });
            return stderr.split("\n").filter((line) => line.includes("not prefixed with")).map((line) =>
              `${name}: ${line}`
            );
          }),
        );
        assertEquals(missing.flat(), []);
      },
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
