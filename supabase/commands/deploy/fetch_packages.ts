import { join } from "node:path";
import { z } from "zod";
import { CommandError } from "../command_error.ts";
import { pickImports, readPackages } from "./read_graph.ts";
import { runDeno } from "./run_deno.ts";

/** Flags and variables that make Deno use the fetched packages. */
export type FetchedPackages = { flags: string[]; env: Record<string, string> };

const lockFile = z.object({ npm: z.record(z.string(), z.object({ integrity: z.string() })) });

/**
 * Fetches the packages that programs of the project load, indirect ones too, into a folder, and makes sure that each is
 * the one in `deno.lock`. Deno compares a package with its digest only when it downloads it, so what this machine has in
 * its cache proves nothing.
 *
 * @param entryPoints paths from the root of the project
 * @throws {CommandError} when a package is not the one that is locked, or cannot be fetched.
 */
export async function fetchPackages(root: string, entryPoints: string[], folder: string): Promise<FetchedPackages> {
  const [config, lock] = [join(folder, "deno.json"), join(folder, "deno.lock")];
  const packages = await Promise.all(entryPoints.map((entryPoint) => readPackages(root, entryPoint)));
  const imports = await pickImports(root, new Set(packages.flatMap((some) => [...some])));
  await Deno.writeTextFile(config, JSON.stringify({ nodeModulesDir: "none", imports }));
  await Deno.copyFile(join(root, "deno.lock"), lock);

  const flags = [`--config=${config}`, `--lock=${lock}`];
  const env = { DENO_DIR: join(folder, "cache") };
  // Deno removes unused entries from the copy. If it differs from the registry, Deno does not stop, but writes what it
  // has fetched.
  await runDeno(root, ["cache", "--frozen=false", ...flags, ...entryPoints], env);
  const [locked, fetched] = [await readLock(join(root, "deno.lock")), await readLock(lock)];
  const others = Object.keys(fetched).filter((name) => fetched[name]!.integrity !== locked[name]?.integrity);
  if (others.length > 0) {
    throw new CommandError(
      `The packages in the registry differ from deno.lock: ${others.join(", ")}. Nothing was built.`,
    );
  }
  return { flags: ["--frozen", ...flags], env };
}

async function readLock(file: string) {
  return lockFile.parse(JSON.parse(await Deno.readTextFile(file))).npm;
}
