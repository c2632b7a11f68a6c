import { join } from "node:path";
import { CommandError } from "../command_error.ts";

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
