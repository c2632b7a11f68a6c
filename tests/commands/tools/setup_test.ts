import { join } from "node:path";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assert, assertEquals } from "../../support/assert.ts";
import { runCommand } from "../../support/run_command.ts";

/** A folder with the setup and a stand-in of npm, which notes how it was called. */
async function prepare() {
  const folder = await Deno.makeTempDir({ prefix: "setup-" });
  const write = async (path: string, text: string, mode?: number) => {
    await Deno.mkdir(join(folder, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(folder, path), text, { mode });
  };
  for (const path of ["package.json", "package-lock.json", "supabase/commands/setup.mjs"]) {
    await write(path, await Deno.readTextFile(join(projectRoot, path)));
  }
  await write("calls", "");
  const npm =
    `#!/bin/sh\ncd "$(dirname "$0")/.."\necho "$@" >> calls\necho added\ntest ! -e broken && mkdir -p node_modules\n`;
  await write("bin/npm", npm, 0o755);
  return {
    folder,
    write,
    /** Runs the setup from another folder, as npm scripts and tests may. */
    async setUp() {
      const env = { PATH: `${join(folder, "bin")}:${Deno.env.get("PATH")}` };
      const { code, stdout, stderr } = await runCommand("node", [join(folder, "supabase/commands/setup.mjs")], { env });
      const calls = (await Deno.readTextFile(join(folder, "calls"))).split("\n").length - 1;
      return { code, stdout, stderr: stderr.replace(/\d+ s$/m, "N s"), calls };
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

const installs = (calls: number) => ({
  code: 0,
  stdout: "",
  stderr: "… Fetching tools\n… Fetching tools took N s\n",
  calls,
});
const isSilent = (calls: number) => ({ code: 0, stdout: "", stderr: "", calls });

Deno.test({ name: "the setup of npm scripts", ignore: Deno.build.os === "windows" }, async (t) => {
  await using clone = await prepare();

  await t.step("installs the tools of a fresh clone, and no second time", async () => {
    assertEquals([await clone.setUp(), await clone.setUp()], [installs(1), isSilent(1)]);
  });

  await t.step("installs them again when the lock has changed, or when they are gone", async () => {
    const lock = await Deno.readTextFile(join(clone.folder, "package-lock.json"));
    await clone.write("package-lock.json", `${lock}\n`);
    assertEquals([await clone.setUp(), await clone.setUp()], [installs(2), isSilent(2)]);
    await Deno.remove(join(clone.folder, "node_modules"), { recursive: true });
    assertEquals([await clone.setUp(), await clone.setUp()], [installs(3), isSilent(3)]);
  });

  await t.step("fails with npm, and tries again the next time", async () => {
    await Deno.remove(join(clone.folder, "node_modules"), { recursive: true });
    await clone.write("broken", "");
    assertEquals(await clone.setUp(), { ...installs(4), code: 1, stderr: "… Fetching tools\n" });
    await Deno.remove(join(clone.folder, "broken"));
    assertEquals(await clone.setUp(), installs(5));
  });
});

Deno.test("every npm script begins with the setup", async () => {
  const { scripts } = JSON.parse(await Deno.readTextFile(join(projectRoot, "package.json")));
  for (const [name, script] of Object.entries<string>(scripts)) {
    assert(script.startsWith("node supabase/commands/setup.mjs"), `${name}: ${script}`);
  }
});
