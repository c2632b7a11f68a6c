/** `npm run release -- X.Y.Z`: writes a version everywhere and makes the snapshot that later upgrades start from. */
import { join } from "node:path";
import { CommandError, exitCodes } from "../command_error.ts";
import { projectRoot } from "../../platform/state.ts";
import { requireReleasable } from "./require_releasable.ts";
import { writeVersion } from "./write_version.ts";

const help = `npm run release -- X.Y.Z

Writes the version into package.json, deno.json, the code and the OpenAPI document, and makes the snapshot
tests/upgrade/X.Y.Z: the digests of the migrations, the schema, and a small filled database. It takes about
half a minute, and can be run again until the tag vX.Y.Z exists. CHANGELOG.md must have a heading for the
version. Nothing is committed, tagged or published.`;

try {
  const [version = "", ...others] = Deno.args;
  if (version === "--help") {
    console.log(help);
    Deno.exit(exitCodes.done);
  }
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
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  console.error(error.message);
  Deno.exit(error.exitCode);
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
