import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleFunctions, describeSource, maxBundleSize } from "../../../supabase/commands/deploy/bundle_functions.ts";
import { findEdgeDeno } from "../../../supabase/platform/edge_runtime/edge_deno.ts";
import { edgeDenoEnv } from "../../../supabase/platform/edge_runtime/worker.ts";
import { listFunctions } from "../../../supabase/platform/list_functions.ts";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { runCommand } from "../../support/run_command.ts";

async function createFolder() {
  const folder = await Deno.makeTempDir({ prefix: "bundles-" });
  return { folder, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

Deno.test("a bundle of every function", async (t) => {
  await using target = await createFolder();
  const bundles = await bundleFunctions(projectRoot, target.folder);
  const files = bundles.map(({ file }) => readFolder(dirname(file)));
  assertEquals(bundles.map(({ name }) => name), listFunctions());

  await t.step("has all its files in one folder and below the limit, and their size is reported", () => {
    const encoder = new TextEncoder();
    for (const [index, { name, file, size }] of bundles.entries()) {
      assertEquals(file, join(target.folder, name, "index.js"));
      const sizes = [...files[index]!.values()].map((code) => encoder.encode(code).length);
      assertEquals(size, sizes.reduce((sum, size) => sum + size));
      assert(size < maxBundleSize, `${name} has ${size} bytes`);
    }
  });

  await t.step("names its source in the first line", async () => {
    const source = await describeSource(projectRoot);
    assertEquals(
      files.map((parts) => parts.get("index.js")!.split("\n")[0]),
      listFunctions().map((name) => `// The function ${name}, ${source}`),
    );
  });

  await t.step("imports only its own files and what the platform has", () => {
    for (const parts of files) {
      for (const code of parts.values()) {
        for (const specifier of importsOf(code)) {
          if (specifier.startsWith("./")) assert(parts.has(specifier.slice(2)), specifier);
          else assertMatch(specifier, /^node:/);
        }
      }
    }
  });

  await t.step("digests and compares secrets with what the runtime has", () => {
    for (const parts of files) {
      for (const code of parts.values()) assert(!/deno-std\S*\/(crypto|encoding\/hex)/.test(code));
    }
    const indexer = [...files[listFunctions().indexOf("indexer")]!.values()];
    assert(indexer.some((code) => /\btimingSafeEqual\b.*"node:crypto"/.test(code)));
  });

  await t.step("has zod without its sentences in other languages, 600 KB, but for the library of MCP", () => {
    const withLanguages = listFunctions().filter((_, index) =>
      [...files[index]!.values()].some((code) => code.includes("/v4/locales/"))
    );
    assertEquals(withLanguages, ["mcp"]);
  });

  await t.step("contains no path of the machine that built it", async () => {
    const { stdout } = await runCommand(Deno.execPath(), ["info", "--json"]);
    const home = Deno.env.get("HOME");
    const private_ = [projectRoot, target.folder, JSON.parse(stdout).denoDir, ...(home ? [home] : [])];
    for (const [index, parts] of files.entries()) {
      for (const path of private_) {
        // Without the first slash, to find relative paths too.
        for (const code of parts.values()) {
          assert(!code.includes(`${path.slice(1)}/`), `${bundles[index]!.name} holds ${path}`);
        }
      }
    }
  });

  await t.step("starts without packages but the smallest, and without Node but its globals", () => {
    for (const [index, { name, isReadable }] of bundles.entries()) {
      const codes = startOf(files[index]!).map((part) => files[index]!.get(part)!);
      const node = codes.flatMap(importsOf).filter((specifier) => specifier.startsWith("node:"));
      assertEquals(new Set(node), new Set(["node:buffer", "node:timers"]), name);
      if (!isReadable) continue;
      const packages = codes.flatMap((code) => [...code.matchAll(/^\/\/ npm\/((?:@[^/]+\/)?[^/]+)/gm)]);
      const large = packages.map(([, name]) => name!).filter((name) => !smallPackages.includes(name));
      assertEquals(large, [], name);
    }
  });

  await t.step("keeps the names that a package exports", () => {
    // Of CommonJS that is imported later, only the default is left.
    for (const [index, { name, isReadable }] of bundles.entries()) {
      if (!isReadable) continue;
      for (const [part, code] of files[index]!) assert(!/^export default require_/m.test(code), `${name}/${part}`);
    }
  });

  await t.step("refuses a request with only what it starts with", async () => {
    for (const [index, { name, file }] of bundles.entries()) {
      // The document is public.
      if (name === "docs") continue;
      const start = startOf(files[index]!);
      for (const part of files[index]!.keys()) if (!start.includes(part)) await Deno.remove(join(dirname(file), part));
      assertEquals(await refuse(file, name), 401, name);
    }
  });

  await t.step("is readable code, unless that would be too large", () => {
    const minified = bundles.filter(({ isReadable }) => !isReadable).map(({ name }) => name);
    assertEquals(minified, ["indexer"]);
    for (const [index, { isReadable }] of bundles.entries()) {
      const lines = [...files[index]!.values()].flatMap((code) => code.split("\n"));
      const length = lines.reduce((longest, line) => Math.max(longest, line.length), 0);
      // A table of linkedom has 32,000.
      assertEquals(length < 40_000, isReadable, `${bundles[index]!.name} has a line of ${length} characters`);
    }
  });
});

/** Packages that a function may load before it knows whether it does anything. */
const smallPackages = ["@noble/hashes", "hono", "deno-std"];

/** The texts of the files in a folder, by their names. */
function readFolder(folder: string): Map<string, string> {
  return new Map(
    [...Deno.readDirSync(folder)].map(({ name }) => [name, Deno.readTextFileSync(join(folder, name))]),
  );
}

/** The static imports of a bundle's code. */
function importsOf(code: string): string[] {
  return [
    ...code.matchAll(/^(?:import|export)\b[^"';]*"([^"]+)";/gm),
    ...code.matchAll(/;import\b[^"';]*"([^"]+)"(?=;)/g),
  ]
    .map(([, specifier]) => specifier!);
}

/** The files of a bundle that are loaded before its first request. */
function startOf(parts: Map<string, string>): string[] {
  const found = new Set(["index.js"]);
  for (const part of found) {
    for (const specifier of importsOf(parts.get(part)!)) {
      if (specifier.startsWith("./")) found.add(specifier.slice(2));
    }
  }
  return [...found];
}

/** The status of a bundle's reply to a request without a key, on the Deno of the edge runtime. */
async function refuse(file: string, name: string): Promise<number> {
  const request = `new Request("http://localhost/${name}", { method: "POST", body: "{}" })`;
  const { code, stdout, stderr } = await runCommand(findEdgeDeno(), [
    "eval",
    "--quiet",
    "--no-config",
    "--no-lock",
    `Deno.serve = async (handle) => console.log((await handle(${request})).status);
     await import(${JSON.stringify(pathToFileURL(file).href)});`,
  ], { env: { SUPABASE_URL: "http://127.0.0.1:1", SUPABASE_SERVICE_ROLE_KEY: "key", ...edgeDenoEnv } });
  assertEquals(code, 0, stderr);
  return Number(stdout.trim().split("\n").at(-1));
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
    assertEquals(await describeSource(folder), "built from a folder without git; source: a-project");
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
      const path of [
        "/srv/git/project.git",
        "../project.git",
        "file:///srv/project.git",
        "C:\\git\\project",
        "C:/git",
      ]
    ) {
      await git("remote", "set-url", "origin", path);
      assertEquals(await describeSource(folder), `built from commit ${commit}; source: a-project`);
    }
  });

  await t.step("mentions changes to deployed files, but not to others", async () => {
    await Deno.writeTextFile(join(folder, "notes.txt"), "not deployed");
    assert(!(await describeSource(folder)).includes("changes"));
    await Deno.writeTextFile(join(folder, "shared/new.ts"), "");
    assertMatch(await describeSource(folder), new RegExp(`commit ${commit}, with uncommitted changes; `));
  });
});
