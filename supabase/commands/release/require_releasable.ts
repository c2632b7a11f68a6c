import { join } from "node:path";
import { CommandError } from "../command_error.ts";
import { readMigrationFiles } from "../../platform/data_record.ts";

/** Makes sure that a version can be released. @throws {CommandError} that says what is in the way. */
export async function requireReleasable(root: string, version: string): Promise<void> {
  const changelog = await Deno.readTextFile(join(root, "CHANGELOG.md")).catch(() => "");
  if (!changelog.includes(`\n## [${version}]`)) {
    throw new CommandError(`CHANGELOG.md has no heading "## [${version}]".`);
  }
  const { success: isTagged } = await new Deno.Command("git", {
    args: ["-C", root, "rev-parse", "--quiet", "--verify", `refs/tags/v${version}`],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output();
  if (isTagged) throw new CommandError(`Release ${version} is tagged, so that its snapshot stays as it is.`);
  const faults = findChangedMigrations(
    await readReleasedMigrations(root, version),
    new Map(await readMigrationFiles(join(root, "supabase/migrations"))),
  );
  if (faults.length > 0) throw new CommandError(faults.join("\n"));
}

/** The migrations of the releases, by their version. */
type Released = { version: string; migrations: Record<string, string> }[];

/** Reads them from the snapshots, but for one that is made again. */
export async function readReleasedMigrations(root: string, made?: string): Promise<Released> {
  const folder = join(root, "tests/upgrade");
  const versions = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => /^\d+\.\d+\.\d+$/.test(name) && name !== made);
  return await Promise.all(
    versions.map(async (version) => JSON.parse(await Deno.readTextFile(join(folder, version, "release.json")))),
  );
}

/** The faults of migrations after a release: none of the released may differ, and each new one comes after them. */
export function findChangedMigrations(released: Released, present: Map<string, string>): string[] {
  return released.flatMap(({ version, migrations }) => {
    const last = Object.keys(migrations).at(-1) ?? "";
    const changed = Object.entries(migrations).filter(([file, digest]) => present.get(file) !== digest);
    const early = [...present.keys()].filter((file) => !(file in migrations) && file < last);
    return [
      ...changed.map(([file]) => `${file} is not as it was released in ${version}: write a new migration instead.`),
      ...early.map((file) => `${file} must have a later time than ${last}, the last migration of ${version}.`),
    ];
  });
}
