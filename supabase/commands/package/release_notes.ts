import { join } from "node:path";
import { release } from "../../../shared/infra/release.ts";
import { CommandError, runProgram } from "../command_error.ts";
import { projectRoot } from "../../platform/state.ts";

/**
 * Finds what a changelog says about a version.
 *
 * @param changelog a text in the form of https://keepachangelog.com
 * @param tag the tag of a release, such as `v1.0.0`
 * @param version the version of the project
 * @throws {CommandError} if the tag is of another version, or the changelog says nothing about it.
 */
export function findReleaseNotes(changelog: string, { tag, version }: { tag: string; version: string }): string {
  if (tag !== `v${version}`) throw new CommandError(`The tag ${tag} is not of this version, ${version}.`);
  const [, ...sections] = changelog.replaceAll("\r\n", "\n").split(/^## /m);
  const section = sections.find((text) => /^\[?([^\]\s]+)/.exec(text)?.[1] === version);
  // Links are at the end of the last section.
  const notes = section?.split("\n").slice(1).filter((line) => !/^\[[^\]]+\]: /.test(line)).join("\n").trim();
  if (!notes) throw new CommandError(`CHANGELOG.md says nothing about ${version}.`);
  return notes;
}

if (import.meta.main) {
  await runProgram(async () => {
    const changelog = await Deno.readTextFile(join(projectRoot, "CHANGELOG.md")).catch(() => "");
    console.log(findReleaseNotes(changelog, { tag: Deno.args[0] ?? "", version: release.version }));
  });
}
