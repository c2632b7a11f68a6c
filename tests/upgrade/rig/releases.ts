import { join } from "node:path";
import { z } from "zod";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { isFile } from "../../support/is_file.ts";
import { runCommand } from "../../support/run_command.ts";
import { Names } from "../snapshot/names.ts";

const Release = z.object({
  version: z.string(),
  made_on: z.string(),
  postgres: z.number(),
  migrations: z.record(z.string(), z.string()),
  empty: z.array(z.string()),
  names: Names,
});

/** The snapshot of a release. */
export type Release = z.output<typeof Release>;

const folder = join(projectRoot, "tests/upgrade");

/** The released versions with a snapshot, the oldest first. */
export function readReleases(): Release[] {
  const inOrder = new Intl.Collator("en", { numeric: true });
  return [...Deno.readDirSync(folder)].map(({ name }) => join(folder, name, "release.json")).filter(isFile)
    .map((file) => Release.parse(JSON.parse(Deno.readTextFileSync(file))))
    .toSorted((one, other) => inOrder.compare(one.version, other.version));
}

/** The text of a file of a snapshot. */
export function readSnapshotFile({ version }: Pick<Release, "version">, name: string): Promise<string> {
  return Deno.readTextFile(join(folder, version, name));
}

/** The rows of a snapshot as SQL, as if they had been made today: work that was due soon is not long overdue. */
export async function readRowsOfToday(release: Release): Promise<string> {
  return shiftTimes(await readSnapshotFile(release, "rows.sql"), release.made_on, new Date());
}

/** Moves all dates and times in the literals of SQL by the whole days between two dates. */
export function shiftTimes(sql: string, from: string, to: Date): string {
  const day = 24 * 60 * 60 * 1_000;
  const days = Math.floor((to.getTime() - Date.parse(from)) / day);
  return sql.replaceAll(
    /'(\d{4}-\d\d-\d\d)((?: \d\d:\d\d:\d\d(?:\.\d+)?\+00)?)'/g,
    (_, date, time) => `'${new Date(Date.parse(date) + days * day).toISOString().slice(0, 10)}${time}'`,
  );
}

/** The code of the functions of a release: its folder, or why it cannot be had. */
export type ReleasedCode = AsyncDisposable & ({ root: string; reason: null } | { root: null; reason: string });

/**
 * Finds the code of a release. It is this checkout if no migration has been added since. Otherwise it is taken from the
 * commit that the tag names, or without a tag from the one that made the snapshot.
 */
export async function findReleasedCode({ version, migrations }: Release): Promise<ReleasedCode> {
  const nothing = async () => {};
  const without = (reason: string): ReleasedCode => ({ root: null, reason, [Symbol.asyncDispose]: nothing });
  const files = Array.from(Deno.readDirSync(join(projectRoot, "supabase/migrations")), ({ name }) => name);
  if (files.every((file) => file in migrations)) {
    return { root: projectRoot, reason: null, [Symbol.asyncDispose]: nothing };
  }
  const git = async (...args: string[]) => {
    const { code, stdout } = await runCommand("git", ["-C", projectRoot, ...args]);
    return code === 0 ? stdout.trim() : "";
  };
  const tagged = await git("rev-parse", "--quiet", "--verify", `refs/tags/v${version}^{commit}`);
  if (tagged === "" && await git("rev-parse", "--is-shallow-repository") === "true") {
    return without(`the clone is shallow and has no tag v${version}`);
  }
  const commit = tagged || await git("log", "-1", "--format=%H", "--", `tests/upgrade/${version}`);
  if (commit === "") return without(`there is neither a tag v${version} nor a commit of its snapshot`);
  return { reason: null, ...await extractCode(commit) };
}

/** Writes the code of a commit to a temporary folder. */
export async function extractCode(commit: string): Promise<AsyncDisposable & { root: string }> {
  const root = await Deno.makeTempDir({ prefix: "released-code-" });
  const archive = join(root, "code.tar");
  for (
    const [program, ...args] of [
      ["git", "-C", projectRoot, "archive", `--output=${archive}`, commit, "functions", "shared", "deno.json"],
      ["tar", "-xf", archive, "-C", root],
    ] as [string, ...string[]][]
  ) {
    const { code, stderr } = await runCommand(program, args);
    if (code !== 0) throw new Error(`${program} failed: ${stderr}`);
  }
  return { root, [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }) };
}
