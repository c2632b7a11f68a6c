import { join } from "node:path";
import { CommandError, exitCodes, runProgram } from "../command_error.ts";
import { readMigrationFiles } from "../../platform/data_folder.ts";
import { projectRoot } from "../../platform/state.ts";

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

/** The files that name the version, and the part of their text that does. The OpenAPI document follows the code. */
const places: [file: string, version: RegExp][] = [
  ["package.json", /^( {2}"version": ")[^"]*/m],
  ["package-lock.json", /^( {2}"version": ")[^"]*/m],
  ["package-lock.json", /^( {6}"version": ")[^"]*/m],
  ["deno.json", /^( {2}"version": ")[^"]*/m],
  ["shared/infra/release.ts", /(\bversion: ")[^"]*/],
];

/** Writes a version everywhere. @throws {CommandError} when a file has no place for it. */
export async function writeVersion(root: string, version: string): Promise<void> {
  for (const [name, place] of places) {
    const file = join(root, name);
    const text = await Deno.readTextFile(file);
    if (!place.test(text)) throw new CommandError(`${name} names no version.`);
    await Deno.writeTextFile(file, text.replace(place, `$1${version}`));
  }
}

const help = `npm run release -- X.Y.Z

Writes the version into package.json, deno.json, the code and the OpenAPI document, and makes the snapshot
tests/upgrade/X.Y.Z: the digests of the migrations, the schema, and a small filled database. It takes about
half a minute, and can be run again until the tag vX.Y.Z exists. CHANGELOG.md must have a heading for the
version. Nothing is committed, tagged or published.`;

async function release([version = "", ...others]: string[]): Promise<void> {
  if (version === "--help") return console.log(help);
  if (!/^\d+\.\d+\.\d+$/.test(version) || others.length > 0) throw new CommandError(help, exitCodes.calledWrongly);
  await requireReleasable(projectRoot, version);
  await writeVersion(projectRoot, version);
  await run("npm", "run", "--silent", "client");
  await run(
    Deno.execPath(),
    ...["run", "--quiet", "--frozen", "--unstable-no-legacy-abort", "-A"],
    join(projectRoot, "tests/upgrade/snapshot/make_snapshot.ts"),
    version,
  );
  console.log(
    `Release ${version} is written. Look at git diff, run npm run check and npm run test:all, then commit and tag it:\n` +
      `  git commit -am "chore(release): ${version}" && git tag v${version}`,
  );
}

async function run(program: string, ...args: string[]): Promise<void> {
  const { success } = await new Deno.Command(program, {
    args,
    cwd: projectRoot,
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn().status;
  if (!success) throw new CommandError(`${program} ${args.join(" ")} failed.`);
}

/** `npm run release -- X.Y.Z`: writes a version everywhere and makes the snapshot that later upgrades start from. */
if (import.meta.main) await runProgram(() => release(Deno.args));
