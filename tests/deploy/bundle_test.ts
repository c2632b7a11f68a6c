import { assert, assertEquals, assertMatch } from "deno-std/assert/mod.js";
import { join } from "deno-std/path/mod.js";
import { bundleFunctions, maxBundleSize } from "../../supabase/deploy/bundle_functions.ts";
import { describeSource } from "../../supabase/deploy/describe_source.ts";
import { findEdgeDeno } from "../../supabase/local/edge_runtime/edge_deno.ts";
import { edgeDenoEnv } from "../../supabase/local/edge_runtime/worker.ts";
import { listFunctions } from "../../supabase/local/list_functions.ts";
import { projectRoot } from "../../supabase/local/state.ts";
import { runCommand } from "../support/run_command.ts";

async function createFolder() {
  const folder = await Deno.makeTempDir({ prefix: "bundles-" });
  return { folder, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

Deno.test("a bundle of every function", async (t) => {
  await using target = await createFolder();
  const bundles = await bundleFunctions(projectRoot, target.folder);
  const codes = await Promise.all(bundles.map(({ file }) => Deno.readTextFile(file)));
  assertEquals(bundles.map(({ name }) => name), listFunctions());

  await t.step("is a file below the limit, and its size is reported", () => {
    const encoder = new TextEncoder();
    for (const [index, { name, file, size }] of bundles.entries()) {
      assertEquals(file, join(target.folder, name, "index.js"));
      assertEquals(size, encoder.encode(codes[index]).length);
      assert(size < maxBundleSize, `${name} has ${size} bytes`);
    }
  });

  await t.step("names its source in the first line", async () => {
    const source = await describeSource(projectRoot);
    assertEquals(
      codes.map((code) => code.split("\n")[0]),
      listFunctions().map((name) => `// The function ${name}, ${source}`),
    );
  });

  await t.step("imports only what the platform has", () => {
    for (const code of codes) {
      for (const [, specifier] of code.matchAll(/^import\s.*?from\s*"([^"]+)";/gm)) assertMatch(specifier!, /^node:/);
    }
  });

  await t.step("digests and compares secrets with what the runtime has", () => {
    for (const code of codes) assert(!/deno-std\S*\/(crypto|encoding\/hex)/.test(code));
    const indexer = codes[listFunctions().indexOf("indexer")]!;
    assertMatch(indexer, /import\s*\{[^}]*\btimingSafeEqual\b[^}]*\}\s*from\s*"node:crypto"/);
  });

  await t.step("contains no path of the machine that built it", async () => {
    const { stdout } = await runCommand(Deno.execPath(), ["info", "--json"]);
    const home = Deno.env.get("HOME");
    const private_ = [projectRoot, target.folder, JSON.parse(stdout).denoDir, ...(home ? [home] : [])];
    for (const [index, code] of codes.entries()) {
      for (const path of private_) {
        // Without the first slash, to find relative paths too.
        assert(!code.includes(`${path.slice(1)}/`), `${bundles[index]!.name} holds ${path}`);
      }
    }
  });

  await t.step("loads no large package for a refusal", async () => {
    const small = ["deno-std", "eventsource-parser", "zod"];
    for (const [index, { name }] of bundles.entries()) {
      if (!["chat", "knowledge-handler", "mcp"].includes(name)) continue;
      const loaded = await listLoaded(codes[index]!, name);
      assertEquals(loaded.filter((found) => !small.includes(found)), [], name);
    }
  });

  await t.step("is readable code, unless that would be too large", () => {
    const minified = bundles.filter(({ isReadable }) => !isReadable).map(({ name }) => name);
    assertEquals(minified, ["indexer"]);
    for (const [index, { isReadable }] of bundles.entries()) {
      const length = Math.max(...codes[index]!.split("\n").map((line) => line.length));
      assertEquals(length < 20_000, isReadable, `${bundles[index]!.name} has a line of ${length} characters`);
    }
  });
});

/** The packages that a bundle has loaded, beyond those at its start, after refusing a request without a key. */
async function listLoaded(code: string, name: string): Promise<string[]> {
  // The bundle wraps modules that load later in functions named after their paths; make each print its name.
  const told = code
    .replace("return fn && (", "return fn && console.log(__getOwnPropNames(fn)[0]), fn && (")
    .replace("return mod || (", "return mod || console.log(__getOwnPropNames(cb)[0]), mod || (")
    .replace(
      /^Deno\.serve\((.*)\.fetch\);$/m,
      `console.log((await $1.fetch(
      new Request("http://localhost/${name}", { method: "POST", body: "{}" })
    )).status);`,
    );
  await using target = await createFolder();
  const file = join(target.folder, "index.js");
  await Deno.writeTextFile(file, told);
  const { code: exitCode, stdout, stderr } = await runCommand(findEdgeDeno(), [
    ...["run", "--quiet", "--no-config", "--no-lock", "--allow-env", "--allow-sys", "--allow-read", file],
  ], { env: { SUPABASE_URL: "http://127.0.0.1:1", SUPABASE_SERVICE_ROLE_KEY: "key", ...edgeDenoEnv } });
  assertEquals(exitCode, 0, stderr);
  const lines = stdout.split("\n");
  assert(lines.includes("401"), stdout);
  return [
    ...new Set(
      lines.map((line) => /^npm\/((?:@[^/]+\/)?[^/]+)/.exec(line)?.[1]).filter((found) => found !== undefined),
    ),
  ];
}

Deno.test("the source of a bundle", async (t) => {
  await using project = await createFolder();
  const { folder } = project;
  const git = async (...args: string[]) => {
    const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.test"];
    const { code, stdout, stderr } = await runCommand("git", ["-C", folder, ...identity, ...args]);
    assertEquals(code, 0, stderr);
    return stdout.trim();
  };
  await Deno.writeTextFile(join(folder, "package.json"), '{ "name": "a-project" }');
  await Deno.mkdir(join(folder, "shared"));

  await t.step("has no commit in a downloaded folder", async () => {
    assertEquals(await describeSource(folder), "built from a folder that git does not know; source: a-project");
  });

  await git("init", "--quiet");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "first");
  const commit = await git("rev-parse", "HEAD");

  await t.step("is a commit of the named project when git has no address", async () => {
    assertEquals(await describeSource(folder), `built from commit ${commit}; source: a-project`);
  });

  await t.step("is an address without the token in it", async () => {
    await git("remote", "add", "origin", "https://name:a-token@example.test/people/project.git");
    assertEquals(
      await describeSource(folder),
      `built from commit ${commit}; source: https://example.test/people/project.git`,
    );
    await git("remote", "set-url", "origin", "git@example.test:people/project.git");
    assertMatch(await describeSource(folder), /source: git@example\.test:people\/project\.git$/);
  });

  await t.step("is the project's name when the address is a path on this machine", async () => {
    for (
      const path of ["/srv/git/project.git", "../project.git", "file:///srv/project.git", "C:\\git\\project", "C:/git"]
    ) {
      await git("remote", "set-url", "origin", path);
      assertEquals(await describeSource(folder), `built from commit ${commit}; source: a-project`);
    }
  });

  await t.step("mentions changes to deployed files, but not to others", async () => {
    await Deno.writeTextFile(join(folder, "notes.txt"), "not deployed");
    assert(!(await describeSource(folder)).includes("changes"));
    await Deno.writeTextFile(join(folder, "shared/new.ts"), "");
    assertMatch(await describeSource(folder), new RegExp(`commit ${commit}, with changes that are not committed; `));
  });
});
