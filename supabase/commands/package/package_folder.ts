import { dirname, join } from "node:path";
import { release } from "../../../shared/infra/release.ts";
import { CommandError } from "../command_error.ts";
import { projectRoot } from "../../platform/state.ts";

/** The names of the packages. Whoever publishes a fork changes them here, and in the pages that name them. */
export const packageNames = { client: "human-intelligence-client", elements: "human-intelligence-elements" };

/** The versions of Node that the packages are tested with, and newer ones. */
const engines = { node: ">=20" };

/**
 * The fields that the package.json of both packages has.
 *
 * `GITHUB_REPOSITORY`, which workflows on GitHub have, becomes the repository. npm accepts a provenance only if it is the
 * one that publishes.
 */
export async function describeBoth(name: string, description: string): Promise<Record<string, unknown>> {
  const { license } = JSON.parse(await Deno.readTextFile(join(projectRoot, "package.json")));
  const repository = Deno.env.get("GITHUB_REPOSITORY");
  const address = `https://github.com/${repository}`;
  return {
    name,
    version: release.version,
    description,
    license,
    ...(repository
      ? {
        repository: { type: "git", url: `git+${address}.git` },
        homepage: `${address}#readme`,
        bugs: `${address}/issues`,
      }
      : {}),
    type: "module",
    engines,
    publishConfig: { access: "public", provenance: true },
  };
}

/** Empties a folder, and writes package.json, the license and the page of a package into it. */
export async function beginPackage(
  folder: string,
  { description, readme }: { description: Record<string, unknown>; readme: string },
): Promise<void> {
  await Deno.remove(folder, { recursive: true }).catch(ignoreMissing);
  await Deno.mkdir(join(folder, "dist"), { recursive: true });
  await Deno.writeTextFile(join(folder, "package.json"), `${JSON.stringify(description, null, 2)}\n`);
  await Deno.writeTextFile(join(folder, "README.md"), readme);
  await Deno.copyFile(join(projectRoot, "LICENSE"), join(folder, "LICENSE"));
}

/** Packs the folder of a package. Returns the path of the archive beside it. @throws {CommandError} when npm fails */
export async function packPackage(folder: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("npm", {
    args: ["pack", "--silent", "--pack-destination", dirname(folder)],
    cwd: folder,
    stdin: "null",
  }).output();
  if (!success) throw new CommandError(`npm pack failed: ${new TextDecoder().decode(stderr).trim()}`);
  return join(dirname(folder), new TextDecoder().decode(stdout).trim());
}

function ignoreMissing(error: unknown) {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
