import { join } from "node:path";
import { z } from "zod";
import { CommandError } from "../command_error.ts";
import { findEdgeDeno } from "../../platform/edge_runtime/edge_deno.ts";
import { edgeDenoEnv } from "../../platform/edge_runtime/worker.ts";
import { listFunctions } from "../../platform/list_functions.ts";
import { projectRoot } from "../../platform/state.ts";
import { pickImports, readPackages } from "./read_graph.ts";
import { runDeno } from "./run_deno.ts";

const projectLock = z.object({
  specifiers: z.record(z.string(), z.string()),
  npm: z.record(
    z.string(),
    z.object({
      integrity: z.string(),
      dependencies: z.array(z.string()).default([]),
      optionalDependencies: z.array(z.string()).default([]),
    }),
  ),
  workspace: z.object({ dependencies: z.array(z.string()) }),
});

/**
 * Writes `deno.json` and `deno.lock` of every function from those of the project. The CLI uploads the first with
 * sources, and the dashboard's editor with changes; runtimes that see the checkout read the second. They list only the
 * packages that the function imports, because the edge runtime embeds the whole of every package in a lock that it
 * finds. OpenTelemetry's library is put into one file for the same reason.
 *
 * @throws {CommandError} when Deno cannot do it.
 */
export async function lockFunctions(root: string): Promise<void> {
  await bundleSerializer(root);
  const lock = writeOldLock(await Deno.readTextFile(join(root, "deno.lock")));
  for (const name of listFunctions(root)) {
    const folder = join(root, "functions", name);
    const imports = await pickImports(root, await readPackages(root, `functions/${name}/index.ts`));
    // A `node_modules` folder nearby only contains tools.
    await Deno.writeTextFile(
      join(folder, "deno.json"),
      `${JSON.stringify({ nodeModulesDir: "none", imports }, null, 2)}\n`,
    );
    await Deno.writeTextFile(join(folder, "deno.lock"), lock);
    await prune(folder);
  }
}

/** The lock of the project in the format that the edge runtime's Deno reads: 4, which has fewer details of a package than 5. */
export function writeOldLock(text: string): string {
  const { specifiers, npm, workspace: { dependencies } } = projectLock.parse(JSON.parse(text));
  const packages = Object.entries(npm).map(([name, { integrity, dependencies, optionalDependencies }]) => {
    const all = [...dependencies, ...optionalDependencies].toSorted();
    return [name, { integrity, ...(all.length === 0 ? {} : { dependencies: all }) }];
  });
  return JSON.stringify({ version: "4", specifiers, npm: Object.fromEntries(packages), workspace: { dependencies } });
}

const notice = "// Written by npm run lock, from supabase/commands/telemetry. It contains OpenTelemetry's library: " +
  "Copyright The OpenTelemetry Authors, Apache License 2.0 (https://www.apache.org/licenses/LICENSE-2.0).\n";

/** Writes the file with OpenTelemetry's library. @throws {CommandError} with what Deno says. */
async function bundleSerializer(root: string): Promise<void> {
  const file = "shared/libs/telemetry/serialize_spans.js";
  const flags = ["--platform=browser", "--minify", "--keep-names", "--output", file];
  await runDeno(root, ["bundle", ...flags, "supabase/commands/telemetry/serialize_spans.ts"]);
  await Deno.writeTextFile(join(root, file), notice + await Deno.readTextFile(join(root, file)));
}

/** Removes from a lock file whatever the `deno.json` in the same folder does not list, with the edge runtime's Deno. */
async function prune(folder: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(findEdgeDeno(), {
    args: ["cache", "--quiet", "--frozen=false", "--config=deno.json", "index.ts"],
    cwd: folder,
    env: { ...edgeDenoEnv, NO_COLOR: "1" },
    stdin: "null",
  }).output();
  if (!success) throw new CommandError(`${folder}: ${new TextDecoder().decode(stderr).trim()}`);
}

// `npm run lock`
if (import.meta.main) await lockFunctions(projectRoot);
