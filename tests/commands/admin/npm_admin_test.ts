import { join } from "node:path";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assertEquals, assertMatch } from "../../support/assert.ts";
import { createTenant, secretKey } from "../../support/project.ts";
import { runCommand } from "../../support/run_command.ts";
import { projectVariable } from "../../support/service.ts";

const env = { BASE_URL: projectVariable("SUPABASE_URL"), SECRET_KEY: secretKey };

Deno.test("npm run admin, as a program", async (t) => {
  const tenant = await createTenant();
  const npm = (...args: string[]) =>
    runCommand("npm", ["run", "--silent", "admin", "--", ...args], { cwd: join(projectRoot, "tests"), env });

  await t.step("prints nothing but JSON on stdout, and nothing of npm on stderr", async () => {
    const { code, stdout, stderr } = await npm("coach", "list", "--account", tenant.accountId, "--json");
    assertEquals([code, JSON.parse(stdout)[0].id, stderr], [0, tenant.coachId, ""]);
  });

  await t.step("resolves paths of files in the folder that it was called in", async () => {
    const { code, stderr } = await npm("coach", "update", tenant.coachId, "support/run.ts");
    assertEquals(code, 2);
    assertMatch(stderr, /^support\/run\.ts has no front matter/m);
  });

  await t.step("exits with the code of the failure, and asks no question without a terminal", async () => {
    const { code, stdout, stderr } = await npm("user", "erase", "u", "--account", tenant.accountId);
    assertEquals([code, stdout], [2, ""]);
    assertMatch(stderr, /^There is no terminal for the confirmation\. To erase without one, add --yes/m);
    assertEquals((await npm("user", "export", "u", "--account", tenant.accountId)).code, 1);
  });

  const folder = await Deno.makeTempDir();
  const run = (args: string[], more: Record<string, string>) => {
    const program = join(projectRoot, "supabase/commands/admin/admin.ts");
    const { BASE_URL: _, SECRET_KEY: __, INIT_CWD: ___, ...inherited } = Deno.env.toObject();
    return runCommand(Deno.execPath(), [
      ...["run", "--quiet", "--frozen", "--env-file=.env.local", "-A", program],
      ...args,
    ], { cwd: folder, clearEnv: true, env: { ...inherited, ...more } });
  };

  await t.step(
    "needs no .env.local when the variables are set, and otherwise says what is missing",
    async () => {
      const { code, stdout, stderr } = await run(["account", "list", "--json"], env);
      assertEquals([code, stderr], [0, ""]);
      assertEquals(Array.isArray(JSON.parse(stdout)), true);
      const without = await run(["account", "list"], {});
      assertEquals([without.code, without.stdout], [2, ""]);
      assertMatch(without.stderr, /^Start the service with npm start, or set BASE_URL and SECRET_KEY/);
    },
  );

  await t.step("uses variables of the environment before those of .env.local", async () => {
    const file = join(folder, ".env.local");
    await Deno.writeTextFile(file, `BASE_URL=http://127.0.0.1:9999\nSECRET_KEY=${secretKey}\n`);
    assertEquals((await run(["account", "list"], {})).code, 1);
    assertEquals((await run(["account", "list"], { BASE_URL: env.BASE_URL })).code, 0);
  });
  await Deno.remove(folder, { recursive: true });
});
