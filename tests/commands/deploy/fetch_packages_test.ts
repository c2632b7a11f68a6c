import { join } from "node:path";
import { CommandError } from "../../../supabase/commands/command_error.ts";
import { fetchPackages } from "../../../supabase/commands/deploy/bundle_functions.ts";
import { makeUpload } from "../../../supabase/commands/deploy/deploy_functions.ts";
import { createTempFolder, runDeno } from "../../../supabase/commands/deploy/run_deno.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "../../support/assert.ts";
import { copyProject } from "../../support/local_stack.ts";
import { startPackageRegistry } from "./package_registry.ts";

Deno.test("an upload with another digest of an indirect package in deno.lock is not made", async () => {
  await using target = await createTempFolder();
  const folder = await copyProject();
  try {
    const lockFile = join(folder, "deno.lock");
    const lock = await Deno.readTextFile(lockFile);
    const changed = lock.replace(/("uncrypto@[^"]+": \{\s*"integrity": "sha512-).{9}/, "$1AAAAAAAAA");
    assert(changed !== lock);
    await Deno.writeTextFile(lockFile, changed);
    const { message } = await assertRejects(() => makeUpload(folder, target.folder), CommandError);
    assertMatch(message, /The packages in the registry differ from deno\.lock: uncrypto@[\d.]+\. Nothing was built/);
    assertEquals(await Deno.readTextFile(lockFile), changed);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the packages of a bundle", async (t) => {
  await using project = await createTempFolder();
  await using machine = await createTempFolder();
  const root = project.folder;
  const original = { "inner@1.0.0": { text: "inner 1.0.0" } };
  const outer = { text: "outer 1.0.0", dependencies: { inner: "^1.0.0" } };
  await using registry = startPackageRegistry({
    ...original,
    "outer@1.0.0": outer,
    "other@1.0.0": { text: "not loaded" },
  });
  // For every Deno that is started from here.
  Deno.env.set("NPM_CONFIG_REGISTRY", registry.url);
  Deno.env.set("DENO_DIR", machine.folder);

  await Deno.writeTextFile(
    join(root, "deno.json"),
    '{ "imports": { "outer": "npm:outer@1.0.0", "other": "npm:other@1.0.0" } }',
  );
  await Deno.writeTextFile(join(root, "main.ts"), 'import { inner } from "outer"; console.log(inner.text);');
  await runDeno(root, ["install"]);
  const lockFile = join(root, "deno.lock");
  const lock = await Deno.readTextFile(lockFile);
  const { npm } = JSON.parse(lock);

  /** The output of the program with its fetched packages. */
  async function fetchAndRun(): Promise<string> {
    await using target = await createTempFolder();
    const { flags, env } = await fetchPackages(root, ["main.ts"], target.folder);
    return (await runDeno(root, ["run", "--cached-only", ...flags, "main.ts"], env)).trim();
  }
  async function refuse(): Promise<string> {
    return (await assertRejects(fetchAndRun, CommandError)).message;
  }

  await t.step("are those of the lock file, indirect ones too, although the registry has newer ones", async () => {
    registry.releases["inner@1.1.0"] = { text: "inner 1.1.0" };
    assertEquals(Object.keys(npm), ["inner@1.0.0", "other@1.0.0", "outer@1.0.0"]);
    assertEquals(await fetchAndRun(), "inner 1.0.0");
  });

  await t.step("are not those in the cache of the machine, which may be others", async () => {
    const [host] = [...Deno.readDirSync(join(machine.folder, "npm"))];
    const cached = join(machine.folder, "npm", host!.name, "inner/1.0.0/index.js");
    await Deno.writeTextFile(cached, 'export const text = "changed on this machine";');
    assertEquals((await runDeno(root, ["run", "--frozen", "main.ts"])).trim(), "changed on this machine");
    assertEquals(await fetchAndRun(), "inner 1.0.0");
  });

  for (const id of ["inner@1.0.0", "outer@1.0.0"]) {
    await t.step(`${id} with another digest in the lock file is refused`, async () => {
      await Deno.writeTextFile(
        lockFile,
        lock.replace(npm[id].integrity, npm[id].integrity.replace(/-.{9}/, "-AAAAAAAAA")),
      );
      const said = await refuse();
      assertMatch(said, new RegExp(`differ from deno\\.lock: ${id}\\.`));
    });
  }

  await t.step("one that is missing in the lock file is refused", async () => {
    await Deno.writeTextFile(lockFile, '{ "version": "5", "specifiers": {}, "npm": {} }');
    assertMatch(await refuse(), /lockfile is out of date/);
    await Deno.writeTextFile(lockFile, lock);
  });

  await t.step("one that the registry has replaced, with its digest, is refused", async () => {
    registry.releases["inner@1.0.0"] = { text: "evil" };
    const said = await refuse();
    assert(said.includes("inner@1.0.0"), said);
    registry.releases["inner@1.0.0"] = original["inner@1.0.0"];
  });

  await t.step("one whose archive alone was replaced is refused", async () => {
    registry.swapped["inner@1.0.0"] = { text: "evil" };
    const said = await refuse();
    assert(said.includes("inner"), said);
    registry.swapped = {};
    assertEquals(await fetchAndRun(), "inner 1.0.0");
  });

  await t.step("are fetched without a change of the project", async () => {
    assertEquals(await Deno.readTextFile(lockFile), lock);
    assertEquals([...Deno.readDirSync(root)].map(({ name }) => name).toSorted(), ["deno.json", "deno.lock", "main.ts"]);
  });
});
